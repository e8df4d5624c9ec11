"""aiohttp: applications and tables of routes, and the answers of handlers."""
