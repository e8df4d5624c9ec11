"""Ordering books."""

from fastapi.testclient import TestClient

ORDER = {"book_id": 1, "quantity": 2, "country": "DE", "email": "ada@example.org"}


def test_an_order_costs_the_books_and_the_shipping(client: TestClient) -> None:
    order = client.post("/orders", json=ORDER).json()
    assert (order["total"], order["status"]) == ("22.50", "placed")
    assert client.get(f"/orders/{order['id']}").json() == order


def test_an_order_needs_enough_copies(client: TestClient) -> None:
    assert client.post("/orders", json={**ORDER, "quantity": 4}).status_code == 409


def test_an_order_that_does_not_exist(client: TestClient) -> None:
    assert client.get("/orders/99").status_code == 404
    assert client.post("/orders", json={**ORDER, "book_id": 99}).status_code == 404
