"""Questions to the fact graph: in openCypher, in SQL, and by name."""
