"""A reference implementation of `specs_examples/todo-tdd`, kept outside the example, and its mutants."""
