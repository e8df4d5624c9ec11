"""Aligners of stories: criteria with names and tests, and steps with their definitions."""
