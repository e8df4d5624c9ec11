"""Accounts and what is booked on them, on aiohttp: stores in the application, a middleware for tokens and errors."""
