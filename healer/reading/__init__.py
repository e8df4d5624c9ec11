"""What the text of a test means: its imports, names, calls and fixtures."""
