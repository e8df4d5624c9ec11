"""Readers that turn specs and code into facts, one per language."""
