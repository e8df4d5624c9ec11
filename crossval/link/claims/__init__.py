"""Aligners of claims: what stories and descriptions say of fields, requests and limits, in contract and code."""
