"""What travels over the wire; names are in camel case there."""

from datetime import datetime
from enum import Enum
from typing import Annotated, List, Literal, Optional
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

Title = Annotated[str, Field(min_length=1, max_length=120)]
Note = Annotated[str, Field(max_length=1000)]


class Message(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class Equipment(str, Enum):
    SCREEN = "screen"
    WHITEBOARD = "whiteboard"
    PHONE = "phone"


class RoomBase(Message):
    name: str = Field(..., min_length=1, max_length=60)
    seats: int = Field(..., ge=1, le=100)
    floor: Optional[int] = None


class RoomOut(RoomBase):
    id: UUID
    equipment: List[Equipment] = []


class BookingIn(Message):
    title: Title
    starts_at: datetime
    ends_at: datetime
    note: Optional[Note] = None
    repeat: Literal["never", "weekly"] = "never"


class BookingOut(BookingIn):
    id: int = Field(ge=1)
    room_id: UUID
    booked_at: datetime


class Description(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: Title
    note: Note | None = None


class ErrorBody(BaseModel):
    detail: str
