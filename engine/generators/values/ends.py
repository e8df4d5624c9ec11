"""Values of what ends a range, so that it lies behind what begins it."""

from __future__ import annotations

from planner.functions.drawn_values import words_of

_ENDING = frozenset({"max", "maximum", "upper", "high", "stop", "end"})
# Each has another one; both are beyond the usual values, and beyond the other ones.
_ENDS = {
    "number": ("5", "6"),
    "datetime.date": ("date(2026, 3, 8)", "date(2026, 4, 9)"),
    "datetime.datetime": ("datetime(2026, 3, 8, 18, 45)", "datetime(2026, 4, 9, 20, 10)"),
    "datetime.time": ("time(18, 45)", "time(20, 10)"),
    "decimal.Decimal": ('Decimal("5.5")', 'Decimal("6.5")'),
}


def end_of(type_: str, name: str, *, other: bool) -> str:
    """A value of a type for what is called the end of a range, as source; empty for all else."""
    words = words_of(name)
    return _ENDS[type_][other] if type_ in _ENDS and {*words[:1], *words[-1:]} & _ENDING else ""
