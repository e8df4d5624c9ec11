"""Tests of functions and classes: from stubs, docstrings, examples, and laws that their names suggest."""
