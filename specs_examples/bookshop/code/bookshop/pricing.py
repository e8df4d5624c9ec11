"""What things cost, in euros."""

from collections.abc import Iterable

FREE_SHIPPING_FROM = 40.0


def subtotal(prices: Iterable[float]) -> float:
    """The sum of the prices, rounded to cents."""
    return round(sum(prices), 2)


def discount(total: float, percent: float = 5) -> float:
    """The total less a discount."""
    return round(total * (1 - percent / 100), 2)


def shipping(total: float, country: str) -> float:
    """What it costs to send an order; nothing from FREE_SHIPPING_FROM on."""
    if total >= FREE_SHIPPING_FROM:
        return 0.0
    return 3.5 if country == "DE" else 9.9
