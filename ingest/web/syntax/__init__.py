"""Python's own grammar: trees of modules that survive a broken statement, scopes, and how names are bound."""
