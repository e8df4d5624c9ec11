"""Polls: an object that holds its handlers and makes the application."""
