"""A queue of jobs in one module of plain Flask."""
