"""What the tests made from the specs share: a client of the application, and its credentials."""

import importlib

import pytest


@pytest.fixture
def client():
    """A client of the application under test."""
    application = importlib.import_module("package.module").application
    from litestar.testing import TestClient

    with TestClient(application, raise_server_exceptions=False) as client:
        yield client
