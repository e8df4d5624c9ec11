"""Aligners of contracts: their operations, and the requests that a service sends, with those of the code."""
