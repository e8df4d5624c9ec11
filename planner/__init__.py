"""Turns findings into a prioritised test plan."""
