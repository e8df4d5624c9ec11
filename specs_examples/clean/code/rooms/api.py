"""The operations."""

from datetime import date, datetime
from typing import Annotated, List
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Path, Query, Response, status

from rooms import store
from rooms.models import BookingIn, BookingOut, Description, Equipment, ErrorBody, RoomOut
from rooms.security import caller

rooms = APIRouter(prefix="/rooms", tags=["rooms"])
bookings = APIRouter(tags=["bookings"], dependencies=[Depends(caller)], responses={401: {"model": ErrorBody}})

BookingId = Annotated[int, Path(ge=1)]
MISSING = {404: {"model": ErrorBody, "description": "There is no such thing"}}
TAKEN = {409: {"model": ErrorBody, "description": "The room is taken at that time"}}


@rooms.get("", response_model=List[RoomOut])
async def find_rooms(
    min_seats: int = Query(1, alias="minSeats", ge=1, le=100),
    equipment: Annotated[list[Equipment] | None, Query()] = None,
    x_request_id: Annotated[str | None, Header(max_length=64)] = None,
):
    wanted = set(equipment or [])
    return [room for room in store.ROOMS.values() if room.seats >= min_seats and wanted <= set(room.equipment)]


@rooms.get("/free", deprecated=True)
def find_free_rooms(on: date) -> list[RoomOut]:
    return [room for room in store.ROOMS.values() if store.is_free_on(room.id, on)]


@rooms.get("/{room_id}", responses=MISSING)
def get_room(room_id: UUID) -> RoomOut:
    return store.room_or_404(room_id)


@bookings.get("/rooms/{room_id}/bookings", response_model=list[BookingOut], responses=MISSING)
def list_bookings(room_id: UUID, since: Annotated[datetime | None, Query(alias="from")] = None):
    found = store.bookings_of(store.room_or_404(room_id).id)
    return [booking for booking in found if since is None or booking.starts_at >= since]


@bookings.post("/rooms/{room_id}/bookings", status_code=status.HTTP_201_CREATED, responses=MISSING | TAKEN)
def book(room_id: UUID, wanted: BookingIn, response: Response) -> BookingOut:
    room = store.room_or_404(room_id)
    booking = store.add_booking(room.id, wanted)
    response.headers["Location"] = f"/api/v1/bookings/{booking.id}"
    return booking


@bookings.get("/bookings/{booking_id}", responses=MISSING)
def get_booking(booking_id: BookingId) -> BookingOut:
    return store.booking_or_404(booking_id)


@bookings.patch("/bookings/{booking_id}", responses=MISSING)
def describe_booking(booking_id: BookingId, description: Description) -> BookingOut:
    booking = store.booking_or_404(booking_id)
    booking.title = description.title
    booking.note = description.note
    return booking


@bookings.delete("/bookings/{booking_id}", status_code=204, responses=MISSING)
def cancel_booking(booking_id: BookingId) -> None:
    store.booking_or_404(booking_id)
    del store.BOOKINGS[booking_id]
