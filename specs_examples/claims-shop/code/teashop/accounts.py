"""Accounts of customers."""

from typing import Literal

from fastapi import APIRouter
from pydantic import AnyUrl, BaseModel, Field

router = APIRouter(prefix="/accounts")


class NewAccount(BaseModel):
    nickname: str = Field(min_length=3, max_length=20)
    password: str = Field(min_length=8)
    phone_number: str
    language: Literal["en", "de"]
    contact: AnyUrl | None = None


ACCOUNTS: dict[str, NewAccount] = {}


@router.post("", status_code=201)
def open_account(new: NewAccount) -> None:
    """Open an account. US-2"""
    ACCOUNTS[new.nickname] = new
