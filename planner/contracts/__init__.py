"""The cases that a contract's operations ask for: answers, bounds, examples, and what the state must show."""
