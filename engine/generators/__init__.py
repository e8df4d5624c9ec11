"""Writes tests from facts: one file per way of doing it, behind the port of `planner/generator.py`."""
