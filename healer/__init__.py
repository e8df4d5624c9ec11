"""Decides whether a failing test is stale, and mends it with evidence."""
