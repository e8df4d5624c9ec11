"""What the tests made from the specs share: a client of the application, and its credentials."""

import importlib

import pytest


@pytest.fixture
def client():
    """A client of the application under test."""
    application = importlib.import_module("package.module").application
    from starlette.testclient import TestClient

    with TestClient(application, raise_server_exceptions=False) as client:
        client.follow_redirects = False  # Older versions do not take it as an argument.
        yield client
