"""Runs tests in child processes of the project's own interpreter, and tells what became of each."""
