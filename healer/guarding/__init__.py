"""What an edit must not do: weaken a test, bend it away from a spec, or invent names."""
