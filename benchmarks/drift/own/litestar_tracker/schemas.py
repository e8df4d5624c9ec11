"""What the tracker keeps."""

from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Annotated, Literal, NotRequired, TypedDict
from uuid import UUID

from pydantic import BaseModel, Field


class Severity(IntEnum):
    """How bad it is."""

    LOW = 1
    HIGH = 2


class State(StrEnum):
    """Where an issue stands."""

    OPEN = "open"
    CLOSED = "closed"


class Person(BaseModel):
    """Somebody who works on issues."""

    name: str = Field(min_length=2, max_length=60)
    email: str | None = Field(default=None, pattern="^.+@.+$")


class Comment(BaseModel):
    """Something that was said."""

    text: str
    author: Person
    at: datetime


class Issue(BaseModel):
    """One issue."""

    id: UUID
    title: Annotated[str, Field(max_length=120)]
    severity: Severity = Severity.LOW
    state: State
    votes: int = Field(0, ge=0)
    weight: float = Field(1.0, gt=0, lt=100)
    labels: list[str] = Field(default_factory=list, max_length=5)
    comments: list[Comment] = []
    assigned: Person | None = None


class NewIssue(TypedDict):
    """What is sent to open an issue."""

    title: str
    kind: Literal["bug", "wish"]
    body: NotRequired[str]
    links: NotRequired[dict[str, str]]


class Summary(TypedDict):
    """How many there are."""

    open: int
    closed: int
