"""Tests of a contract's operations: answers, refusals, examples, removals, and what the state must show."""
