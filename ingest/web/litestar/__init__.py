"""Litestar: layers of handlers, inputs, answers, and what transfer objects leave of models."""
