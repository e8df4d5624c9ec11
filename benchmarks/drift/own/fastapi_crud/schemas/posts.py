from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, HttpUrl

from fastapi_crud.enums import Status
from fastapi_crud.schemas.common import Schema

Title = Annotated[str, Field(min_length=3, max_length=120)]


class PostCreate(Schema):
    title: Title
    body: str
    status: Status = Status.DRAFT
    tags: list[Annotated[str, Field(max_length=20)]] = Field(default_factory=list, max_length=10)
    link: HttpUrl | None = None
    visibility: Literal["public", "private"] = "public"


class PostRead(PostCreate):
    id: int
    published_at: datetime | None
