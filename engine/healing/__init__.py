"""Heals tests: runs them, asks who is wrong, tries edits, and keeps only those that hold."""
