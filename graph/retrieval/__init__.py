"""Finds facts by words, by meaning and by structure."""
