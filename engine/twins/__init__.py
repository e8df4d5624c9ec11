"""Stand-ins of the system, made from its specs alone, on which generated tests are proven."""
