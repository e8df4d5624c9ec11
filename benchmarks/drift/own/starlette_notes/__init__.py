"""Notes that people keep, on Starlette."""
