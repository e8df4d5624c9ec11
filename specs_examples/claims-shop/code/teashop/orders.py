"""Orders, and what is left of each tea."""

from fastapi import APIRouter
from pydantic import BaseModel

router = APIRouter(prefix="/orders")

MAX_PAYMENT_ATTEMPTS = 3
"""How often a customer may try to pay."""


class SoldOut(Exception):
    """There is not enough of a tea."""


class NewOrder(BaseModel):
    tea_id: int
    copies: int = 1


LEFT: dict[int, int] = {}


def reserve(tea_id: int, copies: int) -> None:
    """Set copies aside. AC-3.2"""
    LEFT[tea_id] = max(LEFT.get(tea_id, 0) - copies, 0)


@router.post("", status_code=202)
def place_order(new: NewOrder) -> None:
    """Place an order. AC-3.1, AC-3.3, AC-3.4"""
    reserve(new.tea_id, new.copies)
