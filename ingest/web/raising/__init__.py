"""Exceptions and what becomes of them: what leaves a function, what catches it, and which status answers it."""
