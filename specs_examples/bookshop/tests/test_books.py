"""Browsing, and keeping the range up to date."""

from fastapi.testclient import TestClient

STAFF = {"Authorization": "Bearer change-me"}
NEW = {"isbn": "9780140449136", "title": "The Odyssey", "author": "Homer", "price": 12, "purchase_price": 5}


def test_the_newest_book_comes_first(client: TestClient) -> None:
    assert [book["title"] for book in client.get("/books").json()] == ["Walden", "Emma"]


def test_a_page_can_be_cut(client: TestClient) -> None:
    assert [book["title"] for book in client.get("/books", params={"limit": 1, "offset": 1}).json()] == ["Emma"]
    assert client.get("/books", params={"limit": 101}).status_code == 422


def test_one_book(client: TestClient) -> None:
    assert client.get("/books/1").json()["title"] == "Emma"
    assert client.get("/books/99").status_code == 404


def test_staff_can_add_a_book(client: TestClient) -> None:
    assert client.post("/books", json=NEW).status_code == 401
    answer = client.post("/books", json=NEW, headers=STAFF)
    assert answer.status_code == 201
    assert client.get(f"/books/{answer.json()['id']}").json()["author"] == "Homer"


def test_a_price_can_be_changed(client: TestClient) -> None:
    assert client.put("/books/1", json={"price": 8}).json()["price"] == 8
    assert client.put("/books/1", json={"price": -1}).status_code == 422


def test_everybody_who_wrote_a_book(client: TestClient) -> None:
    assert client.get("/authors").json() == ["H. D. Thoreau", "Jane Austen"]
