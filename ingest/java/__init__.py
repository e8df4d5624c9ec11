"""Reads Java: packages, classes, methods, fields and comments, as code to be linked with what is demanded of it."""
