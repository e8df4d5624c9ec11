"""The reader of Python code, stubs and tests."""
