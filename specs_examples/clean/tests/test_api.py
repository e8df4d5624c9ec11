"""The operations, as the contract tells them."""

from uuid import UUID

from fastapi.testclient import TestClient

AQUARIUM = UUID(int=1)
TEN = {"title": "Plan", "startsAt": "2026-03-02T10:00:00Z", "endsAt": "2026-03-02T11:00:00Z"}
HALF_PAST = {"title": "Talk", "startsAt": "2026-03-02T10:30:00Z", "endsAt": "2026-03-02T11:30:00Z", "note": None}


def test_rooms_are_found_by_seats_and_equipment(client: TestClient) -> None:
    assert [room["name"] for room in client.get("/rooms").json()] == ["Aquarium", "Library"]
    assert [room["name"] for room in client.get("/rooms", params={"minSeats": 5}).json()] == ["Library"]
    assert [room["name"] for room in client.get("/rooms", params={"equipment": "screen"}).json()] == ["Aquarium"]
    assert client.get("/rooms", params={"minSeats": 0}).status_code == 422


def test_one_room(client: TestClient) -> None:
    room = client.get(f"/rooms/{UUID(int=2)}").json()
    assert room == {"id": str(UUID(int=2)), "name": "Library", "seats": 12, "floor": None, "equipment": []}
    assert client.get(f"/rooms/{UUID(int=9)}").json() == {"detail": "There is no such room."}


def test_a_room_is_booked(client: TestClient) -> None:
    answer = client.post(f"/rooms/{AQUARIUM}/bookings", json=TEN)
    assert answer.status_code == 201
    booking = answer.json()
    assert answer.headers["Location"] == f"/api/v1/bookings/{booking['id']}"
    assert client.get(f"/bookings/{booking['id']}").json() == booking
    assert (booking["note"], booking["repeat"], booking["roomId"]) == (None, "never", str(AQUARIUM))
    assert client.get(f"/rooms/{AQUARIUM}/bookings", params={"from": "2026-03-03T00:00:00Z"}).json() == []


def test_a_room_that_is_taken_is_answered_with_409(client: TestClient) -> None:
    client.post(f"/rooms/{AQUARIUM}/bookings", json=TEN)
    answer = client.post(f"/rooms/{AQUARIUM}/bookings", json=HALF_PAST)
    assert (answer.status_code, answer.json()) == (409, {"detail": "The room is taken at that time."})


def test_a_cancelled_booking_leaves_the_room_free(client: TestClient) -> None:
    booking = client.post(f"/rooms/{AQUARIUM}/bookings", json=TEN).json()
    assert len(client.get("/rooms/free", params={"on": "2026-03-02"}).json()) == 1
    assert client.delete(f"/bookings/{booking['id']}").status_code == 204
    assert len(client.get("/rooms/free", params={"on": "2026-03-02"}).json()) == 2
    assert client.delete(f"/bookings/{booking['id']}").status_code == 404


def test_a_booking_is_described_anew(client: TestClient) -> None:
    booking = client.post(f"/rooms/{AQUARIUM}/bookings", json=TEN).json()
    changed = client.patch(f"/bookings/{booking['id']}", json={"title": "Plan B"}).json()
    assert changed == {**booking, "title": "Plan B"}
    assert client.patch(f"/bookings/{booking['id']}", json={"title": "x", "endsAt": "now"}).status_code == 422


def test_without_a_key_the_answer_is_401(client: TestClient) -> None:
    assert client.get("/bookings/1", headers={"X-API-Key": "guess"}).status_code == 401


def test_the_application_is_alive(client: TestClient) -> None:
    assert client.get("http://testserver/healthz").json() == {"status": "ok"}
