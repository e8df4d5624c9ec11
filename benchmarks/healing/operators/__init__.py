"""Seeded changes of a package: what leaves its tests stale, and what breaks it."""
