"""The composition root: configuration, command line, orchestration."""
