"""Programs that run in a framework's own environment and tell what its applications are."""
