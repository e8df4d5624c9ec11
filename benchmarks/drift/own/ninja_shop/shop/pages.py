from typing import Any, List

from ninja import Field, Schema
from ninja.pagination import PaginationBase


class CursorPagination(PaginationBase):
    class Input(Schema):
        cursor: str | None = None
        size: int = Field(20, ge=1, le=100)

    class Output(Schema):
        results: List[Any]
        next_cursor: str | None

    items_attribute: str = "results"

    def paginate_queryset(self, queryset, pagination: Input, **params):
        return {"results": queryset[: pagination.size], "next_cursor": None}


class Skip(PaginationBase):
    class Input(Schema):
        skip: int

    def paginate_queryset(self, queryset, pagination: Input, **params):
        return {"items": queryset[pagination.skip :], "count": 0}
