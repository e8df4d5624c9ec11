"""Measures how well requirements are linked to code files without tags."""
