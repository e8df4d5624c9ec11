"""What the builders checked."""

import pytest
from fastapi.testclient import TestClient
from teashop.main import app
from teashop.orders import reserve

client = TestClient(app)
GREEN = {"name": "Sencha", "region": "Uji"}
STAFF = {"Authorization": "Bearer staff"}


@pytest.mark.spec("US-1")
def test_a_page_of_teas():
    assert len(client.get("/teas").json()) <= 30


@pytest.mark.spec("AC-1.3")
def test_a_tea_that_is_there():
    made = client.post("/teas", json=GREEN, headers=STAFF).json()
    assert client.get(f"/teas/{made['id']}").status_code == 200


@pytest.mark.spec("US-2")
def test_an_account():
    new = {"nickname": "Ann", "password": "12345678", "phone_number": "1", "language": "en"}
    assert client.post("/accounts", json=new).is_success


@pytest.mark.spec("AC-3.1", "AC-3.3", "AC-3.4")
def test_an_order():
    assert client.post("/orders", json={"tea_id": 1}).is_success


@pytest.mark.spec("AC-3.2")
def test_what_is_left():
    reserve(1, 1)


@pytest.mark.spec("AC-4.1", "AC-4.2")
def test_the_range():
    assert client.delete("/teas/7").is_error


@pytest.mark.spec("AC-9.9")
def test_a_present():
    assert client.get("/teas").is_success
