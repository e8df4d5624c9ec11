"""Rooms and bookings, in memory."""

from datetime import UTC, date, datetime
from itertools import count
from typing import NoReturn
from uuid import UUID

from fastapi import HTTPException, status

from rooms.models import BookingIn, BookingOut, Equipment, RoomOut
from rooms.schedule import Slot, check_free

ROOMS: dict[UUID, RoomOut] = {
    room.id: room
    for room in (
        RoomOut(id=UUID(int=1), name="Aquarium", seats=4, floor=2, equipment=[Equipment.SCREEN]),
        RoomOut(id=UUID(int=2), name="Library", seats=12),
    )
}
BOOKINGS: dict[int, BookingOut] = {}

_numbers = count(1)


def not_found(what: str) -> NoReturn:
    """Answer 404."""
    raise HTTPException(status.HTTP_404_NOT_FOUND, detail=f"There is no such {what}.")


def room_or_404(room_id: UUID) -> RoomOut:
    """The room with this id."""
    room = ROOMS.get(room_id)
    if room is None:
        not_found("room")
    return room


def booking_or_404(booking_id: int) -> BookingOut:
    """The booking with this number."""
    if booking_id not in BOOKINGS:
        not_found("booking")
    return BOOKINGS[booking_id]


def bookings_of(room_id: UUID) -> list[BookingOut]:
    """The bookings of a room, the next one first."""
    found = [booking for booking in BOOKINGS.values() if booking.room_id == room_id]
    return sorted(found, key=lambda booking: booking.starts_at)


def is_free_on(room_id: UUID, day: date) -> bool:
    """Whether nobody has booked the room on that day."""
    return all(booking.starts_at.date() != day for booking in bookings_of(room_id))


def add_booking(room_id: UUID, wanted: BookingIn) -> BookingOut:
    """Book a room; raises `Clash` where it is taken."""
    taken = [Slot(booking.starts_at, booking.ends_at) for booking in bookings_of(room_id)]
    check_free(Slot(wanted.starts_at, wanted.ends_at), taken)
    booking = BookingOut(
        id=next(_numbers),
        room_id=room_id,
        booked_at=datetime.now(UTC),
        title=wanted.title,
        starts_at=wanted.starts_at,
        ends_at=wanted.ends_at,
        note=wanted.note,
        repeat=wanted.repeat,
    )
    BOOKINGS[booking.id] = booking
    return booking
