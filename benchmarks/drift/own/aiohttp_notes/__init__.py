"""Notes that people keep, on aiohttp."""
