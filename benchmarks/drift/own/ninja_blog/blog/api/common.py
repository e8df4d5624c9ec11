from datetime import datetime
from enum import StrEnum
from http import HTTPStatus
from typing import Generic, TypeVar

from ninja import Schema
from ninja.errors import HttpError

T = TypeVar("T")
NOT_FOUND = HTTPStatus.NOT_FOUND


class Detail(Schema):
    detail: str


class Order(StrEnum):
    NEWEST = "newest"
    OLDEST = "oldest"


class Many(Schema, Generic[T]):
    items: list[T]
    total: int


class Stamped(Schema):
    created: datetime
    updated: datetime | None = None


def require(found, message="not found"):
    if found is None:
        raise HttpError(404, message)
    return found
