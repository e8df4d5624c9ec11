"""What a name means for one witness: modules, imports, ancestors, and members that no statement shows."""
