"""The reader of user stories in Markdown."""
