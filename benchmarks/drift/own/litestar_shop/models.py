"""What a small shop trades in, in each of the ways in which data can be declared."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

import attrs
import msgspec
from attrs import define


class Colour(StrEnum):
    """What colours there are."""

    RED = "red"
    BLUE = "blue"


class Item(msgspec.Struct):
    """Something that is sold."""

    id: UUID
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    price: Annotated[float, msgspec.Meta(gt=0)]
    colour: Colour = Colour.RED
    tags: list[str] = []
    note: str | None = None
    made: date | None = None


class NewItem(msgspec.Struct, rename="camel"):
    """Something that shall be sold."""

    item_name: str
    unit_price: float
    in_stock: bool = True
    kind: Literal["a", "b"] = "a"


class Renamed(msgspec.Struct):
    """Something whose fields are called otherwise in JSON."""

    kind: str = msgspec.field(name="type")
    size: int = msgspec.field(default=3)
    extra: dict[str, int] = msgspec.field(default_factory=dict)
    maybe: int | msgspec.UnsetType = msgspec.UNSET


class Strict(msgspec.Struct):
    """A number with an item."""

    a: int
    b: Item


@dataclass
class Address:
    """Where somebody lives."""

    street: str
    number: int
    zip: str = "0000"


@dataclass
class Person:
    """Somebody."""

    name: str
    address: Address
    born: datetime
    friends: list[Person] = field(default_factory=list)
    mail: str | None = None


@define
class Parcel:
    """Something that is sent."""

    weight: float
    to: Address
    fragile: bool = False
    labels: list[str] = attrs.field(factory=list)
