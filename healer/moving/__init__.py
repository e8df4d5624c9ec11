"""Finds what moved between two revisions: pairs what went with what came, and proves that bodies are equal."""
