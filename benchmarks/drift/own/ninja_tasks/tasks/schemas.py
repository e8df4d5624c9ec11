from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Dict, Generic, List, Literal, Optional, TypeVar, Union
from uuid import UUID

from ninja import Field, ModelSchema, Schema

from .models import Project, Task

T = TypeVar("T")


class Priority(int, Enum):
    LOW = 1
    HIGH = 2


class ProjectOut(Schema):
    id: UUID
    name: str = Field(..., max_length=80)
    owner_name: str = Field(None, alias="owner.username")
    tasks: List["TaskOut"] = []


class TaskOut(Schema):
    id: int
    title: str
    done: bool
    priority: Priority
    due: Optional[datetime]
    estimate: timedelta | None = None
    labels: Dict[str, str] = {}
    meta: Any = None
    children: List["TaskOut"] = []


class TaskIn(Schema):
    title: str = Field(..., min_length=3, max_length=200, examples=["Wash"])
    priority: Priority = Priority.LOW
    due: datetime = None
    score: float = Field(0, ge=0, lt=10, multiple_of=0.5)
    kind: Literal["bug", "feature"] = "bug"


class TaskRow(ModelSchema):
    kind: str = "task"

    class Meta:
        model = Task
        fields = ["id", "title", "done", "priority", "due", "score", "estimate", "project"]


class ProjectRow(ModelSchema):
    class Meta:
        model = Project
        fields = ["id", "name", "owner"]


class Wrapped(Schema, Generic[T]):
    data: T
    ok: bool = True


class Cat(Schema):
    species: Literal["cat"]
    lives: int = 9


class Dog(Schema):
    species: Literal["dog"]
    name: Optional[str] = None


Pet = Union[Cat, Dog]


class Message(Schema):
    detail: str
