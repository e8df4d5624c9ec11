from __future__ import annotations

import enum
from dataclasses import dataclass, field
from decimal import Decimal


class OrderState(enum.StrEnum):
    NEW = "new"
    PAID = "paid"
    SHIPPED = "shipped"


@dataclass(slots=True)
class Line:
    sku: str
    quantity: int
    price: Decimal


@dataclass(slots=True)
class Order:
    id: int
    customer: str
    lines: list[Line] = field(default_factory=list)
    state: OrderState = OrderState.NEW
    note: str | None = None

    @property
    def total(self) -> Decimal:
        return sum((line.price * line.quantity for line in self.lines), Decimal(0))


class OrderError(Exception):
    """Something that a customer can mend."""


class OrderNotFound(OrderError):
    pass


class WrongState(OrderError):
    def __init__(self, state: OrderState):
        super().__init__(f"The order is {state}")
        self.state = state
