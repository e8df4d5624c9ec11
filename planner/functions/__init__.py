"""The cases that stubs and docstrings ask for: calls, results, and laws that names suggest."""
