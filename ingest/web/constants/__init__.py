"""Values that stand fixed in the source: literals, settings with their defaults, tables, and what these compute."""
