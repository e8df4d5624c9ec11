"""Talks to language models behind OpenAI-compatible endpoints, where one is configured."""
