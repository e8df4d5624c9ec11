"""A small bookshop with a web API."""
