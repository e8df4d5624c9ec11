"""Test sessions: what a person or an agent needs at hand to work on tests, and what is to be done, one task each."""
