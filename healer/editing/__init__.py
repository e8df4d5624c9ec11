"""How a proposed edit is applied to a text, written in one way, and kept or undone on disk."""
