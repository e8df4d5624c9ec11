"""Tests of stories: what a criterion or a scenario claims of requests, lists, things and calls."""
