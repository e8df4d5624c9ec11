"""Aligners of tests: what they expect, import and cite, held against contracts, code and facts."""
