"""Measures how well and how fast facts are found."""
