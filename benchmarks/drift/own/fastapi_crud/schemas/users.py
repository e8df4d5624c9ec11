from __future__ import annotations

import uuid
from datetime import datetime
from typing import TYPE_CHECKING, List, Optional

from pydantic import EmailStr, Field

from fastapi_crud import enums
from fastapi_crud.schemas.common import Schema

if TYPE_CHECKING:
    from fastapi_crud.schemas.posts import PostRead


class UserBase(Schema):
    name: str = Field(min_length=1, max_length=64)
    email: EmailStr
    role: enums.Role = enums.Role.USER


class UserCreate(UserBase):
    password: str = Field(min_length=8, max_length=128, pattern=r"[A-Za-z0-9]+")


class UserUpdate(Schema):
    name: Optional[str] = Field(None, min_length=1, max_length=64)
    email: Optional[EmailStr] = None
    role: Optional[enums.Role] = None


class UserRead(UserBase):
    id: uuid.UUID
    created_at: datetime
    posts: List["PostRead"] = []


from fastapi_crud.schemas.posts import PostRead  # noqa: E402

UserRead.model_rebuild()
