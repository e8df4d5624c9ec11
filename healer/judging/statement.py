"""What one spec fact says about what a red test asserts."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Side(StrEnum):
    """Whom a spec fact agrees with."""

    TEST = "test"
    CODE = "code"


class Statement(msgspec.Struct, frozen=True):
    """What one spec fact says about what a test asserts: whom it agrees with, and how that reads."""

    side: Side
    fact: str
    words: str
    weight: float = 0.9
