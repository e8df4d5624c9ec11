from typing import Generic, Optional, Sequence, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from fastapi_crud.enums import Status

ItemT = TypeVar("ItemT")


class Schema(BaseModel):
    model_config = ConfigDict(from_attributes=True, extra="ignore")


class Page(Schema, Generic[ItemT]):
    items: Sequence[ItemT]
    total: int = Field(..., ge=0)
    cursor: Optional[str] = None


class PageParams(Schema):
    page: int = Field(1, ge=1, description="Page")
    size: int = Field(50, ge=1, le=100)


class Deleted(Schema):
    ok: bool = True


class ErrorOut(Schema):
    detail: str
    code: int | None = None
    status: Status = Status.DRAFT
