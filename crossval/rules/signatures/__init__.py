"""Rules about definitions in code that differ from their stubs."""
