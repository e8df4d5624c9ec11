"""A blog in one module."""
