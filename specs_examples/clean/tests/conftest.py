"""A client of an application in which nothing is booked."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from rooms import store
from rooms.main import app


@pytest.fixture
def client() -> Iterator[TestClient]:
    store.BOOKINGS.clear()
    with TestClient(app, base_url="http://testserver/api/v1", headers={"X-API-Key": "let-me-in"}) as client:
        yield client
