"""Measures how many of the claims read from other projects' documentation are right."""
