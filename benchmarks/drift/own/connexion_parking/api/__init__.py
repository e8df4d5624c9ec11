"""The handlers, by what they are about."""
