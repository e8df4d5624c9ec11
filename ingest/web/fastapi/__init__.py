"""FastAPI and Starlette: the tree of routers, inputs, answers, and what surrounds handlers."""
