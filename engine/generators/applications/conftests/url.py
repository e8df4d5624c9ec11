"""What the tests made from the specs share: a client of the service, and its credentials."""

import pytest


@pytest.fixture
def client():
    """A client of the service under test."""
    import httpx

    with httpx.Client(base_url="http://localhost") as client:
        yield client
