"""Readers of web frameworks: routes and their schemas, one framework per file."""
