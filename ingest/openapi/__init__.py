"""Reads OpenAPI contracts (2.0 to 3.2, one file or many) into facts."""
