"""One resolver for each framework: which modules it looks at, and the operations that it finds there."""
