"""Amounts of money as people write them (`16.50`), and fields that have them in cents (`nightly_rate_cents`)."""

from __future__ import annotations

import re

from crossval.compare.claims import words as words_of

AMOUNT = r"(?P<whole>\d+)\.(?P<cents>\d\d)"
"""The pattern of an amount with its cents."""


def in_cents(match: re.Match[str]) -> int:
    """The cents of an amount that this pattern found."""
    return int(match["whole"]) * 100 + int(match["cents"])


def has_cents(field: str) -> bool:
    """Whether a field says by its name that it has cents."""
    return "cent" in words_of(field)


def without_cents(words: list[str]) -> list[str]:
    """The words of a field's name without the last one, where that says that it has cents."""
    return words[:-1] if words[-1:] == ["cent"] else words
