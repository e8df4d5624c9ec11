"""Aligners of stubs, docstrings and interfaces: modules, classes, functions and attributes with those of the code."""
