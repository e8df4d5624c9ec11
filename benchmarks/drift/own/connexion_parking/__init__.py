"""Parking: an asynchronous application whose handlers ask a repository."""
