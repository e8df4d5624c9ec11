"""What things cost, in euros."""

from collections.abc import Iterable

FREE_SHIPPING_FROM: float

def subtotal(prices: Iterable[float]) -> float:
    """The sum of the prices, rounded to cents."""

def discount(total: float, percent: float = 10) -> float:
    """The total less a discount."""

def shipping(total: float, country: str, express: bool = False) -> float:
    """What it costs to send an order; nothing from FREE_SHIPPING_FROM on."""

def gift_wrap(items: int) -> float:
    """What it costs to wrap so many items."""
