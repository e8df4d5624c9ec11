"""Ordering books."""

from datetime import UTC, datetime

from fastapi import APIRouter, HTTPException

from bookshop import catalogue, pricing
from bookshop.models import NewOrder, Order, OrderStatus
from bookshop.stock import OutOfStock

router = APIRouter(prefix="/orders")

ORDERS: dict[int, Order] = {}


@router.post("")
def place_order(new: NewOrder) -> Order:
    """Order a book."""
    book = catalogue.find(new.book_id)
    try:
        catalogue.STOCK.reserve(book.id, new.quantity)
    except OutOfStock:
        raise HTTPException(status_code=409, detail="There are not enough copies.") from None
    goods = pricing.subtotal([book.price] * new.quantity)
    order = Order(
        id=len(ORDERS) + 1,
        book_id=book.id,
        quantity=new.quantity,
        total=f"{goods + pricing.shipping(goods, new.country):.2f}",
        status=OrderStatus.PLACED,
        placed_at=datetime.now(UTC),
    )
    ORDERS[order.id] = order
    return order


@router.get("/{order_id}")
def get_order(order_id: int) -> Order:
    """One order."""
    if order_id not in ORDERS:
        raise HTTPException(status_code=404, detail="There is no such order.")
    return ORDERS[order_id]
