"""The rules, one small unit each, in one folder per family."""
