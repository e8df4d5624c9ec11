from datetime import date, datetime
from typing import Annotated, List, Optional
from uuid import UUID

from ninja import Field, FilterSchema, Schema


class TaskFilter(FilterSchema):
    search: Optional[str] = Field(None, q=["title__icontains", "project__name__icontains"])
    done: bool | None = None
    project: Optional[UUID] = Field(None, q="project_id")
    due_before: Optional[datetime] = Field(None, q="due__lt")
    priority: List[int] = Field([], q="priority__in")


class Window(Schema):
    since: date
    until: date | None = None
    size: Annotated[int, Field(ge=1, le=50)] = 10
    order_by: str = Field("title", alias="orderBy", pattern="^-?[a-z]+$")
