"""Which operation, function, class, field or test a criterion speaks of, with or without tags."""
