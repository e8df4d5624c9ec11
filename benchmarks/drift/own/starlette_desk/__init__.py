"""A help desk: routers that are mounted, classes, people who sign in, checks by hand."""
