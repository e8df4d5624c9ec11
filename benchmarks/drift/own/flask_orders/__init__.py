"""Orders: a domain, a repository, schemas and error handlers."""
