"""Rules about tests: what they expect, import, cite and assert."""
