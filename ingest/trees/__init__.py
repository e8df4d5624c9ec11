"""Trees of values that know their lines, and the bounded parsers that grow them."""
