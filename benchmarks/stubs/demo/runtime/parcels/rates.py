"""What sending a parcel costs."""

from decimal import Decimal
from typing import Final

MAX_WEIGHT = "31.5"
VAT_PERCENT: Final = 21
ZONES = ("north", "south")


def quote(weight, zone="north", *, insured=False):
    """The price in cents."""
    cents = 395 + int(weight * 10)
    if zone not in ZONES:
        raise ValueError(zone)
    return cents + 100 if insured else cents


def surcharge(weight, distance_km):
    return int(weight) * distance_km


def discount(price, percent=5):
    return price - price * percent // 100


def volume(length, width, height):
    return length * width * height


def is_oversized(width, length):
    return length > 120 or width > 60


def label(sender, receiver, /):
    return f"{sender} -> {receiver}"


def bundle(first, *, second, rebate=0):
    return first + second - rebate


def customs_value(amount, currency):
    if currency == "EUR":
        return Decimal(amount)
    return Decimal(amount) * 2


def estimate(weight: float) -> int:
    return f"{weight * 3:.0f}"


def days_to(zone: str) -> int:
    if zone == "north":
        return 1
    if zone == "south":
        return 2


def round_up(cents):
    return -(-cents // 10) * 10


def cheapest(*prices):
    return min(prices)
