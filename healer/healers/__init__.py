"""The deterministic healers: one file per family of tactics, each follows what moved through the text of the tests."""
