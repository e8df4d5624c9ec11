"""A small shop, on Litestar."""
