import pytest
import shelf


@pytest.fixture
def client():
    shelf.BOOKS.clear()
    shelf.LOANS.clear()
    return shelf.app.test_client()


def added(client, title="Emma"):
    return client.post("/books", json={"title": title, "pages": 300}).get_json()


def test_an_empty_shelf_has_no_books(client):
    assert client.get("/books").get_json() == []


def test_a_book_is_added(client):
    answer = client.post("/books", json={"title": "Emma", "pages": 300})
    assert answer.status_code == 201
    assert answer.get_json()["title"] == "Emma"
    assert answer.get_json()["pages"] == 300


def test_pages_are_guessed(client):
    assert client.post("/books", json={"title": "Emma"}).get_json()["pages"] == 100


def test_a_book_is_shown(client):
    book = added(client)
    answer = client.get(f"/books/{book['number']}")
    assert answer.status_code == 200
    assert answer.get_json() == book


def test_a_missing_book_is_told(client):
    assert client.get("/books/7").status_code == 404


def test_a_book_is_removed(client):
    book = added(client)
    assert client.delete(f"/books/{book['number']}").status_code == 204
    assert client.get("/books").get_json() == []


def test_a_book_is_lent_once(client):
    number = added(client)["number"]
    first = client.put(f"/books/{number}/loan", json={"reader": "Ann"})
    assert first.status_code == 200
    assert first.get_json()["reader"] == "Ann"
    second = client.put(f"/books/{number}/loan", json={"reader": "Bob"})
    assert second.status_code == 409
