"""A small library, run from the command line."""
