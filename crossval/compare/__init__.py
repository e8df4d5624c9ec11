"""Comparators: where two facts that speak of one thing differ."""
