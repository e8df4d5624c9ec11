"""The project's history, read from git objects alone."""
