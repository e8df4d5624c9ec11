"""Reviewing books."""

from fastapi.testclient import TestClient


def test_a_review_is_published(client: TestClient) -> None:
    answer = client.post("/books/1/reviews", json={"stars": 5, "author": "Ada"})
    assert answer.status_code == 201
    assert client.get("/books/1/reviews").json() == [{"id": 1, "stars": 5, "author": "Ada", "text": ""}]


def test_a_review_needs_a_book_and_stars(client: TestClient) -> None:
    assert client.post("/books/99/reviews", json={"stars": 5, "author": "Ada"}).status_code == 404
    assert client.post("/books/1/reviews", json={"stars": 0, "author": "Ada"}).status_code == 422
