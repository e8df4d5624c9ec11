"""A shop for tea."""
