"""The operators: each makes one named change to a contract."""
