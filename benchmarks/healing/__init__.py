"""The benchmark of healing: real packages whose code is refactored or broken under their own tests."""
