"""Rules about specs in themselves and against one another, and about notes in the sources."""
