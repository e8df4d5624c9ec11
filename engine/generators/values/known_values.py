"""Types of which values are known as such: Python's own, of the standard library, and what holds others."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

PLAIN = {
    "int": "1", "bool": "True", "float": "1.5", "complex": "1j", "None": "None", "object": "object()", "type": "int",
}  # fmt: skip
# Numbers of which not every one is there, by the last word of their name.
NAMED = {
    **dict.fromkeys(("year", "yr", "yyyy"), ("2024", "2025")),
    **dict.fromkeys(("jd", "julianday"), ("2460448.5", "2460618.5")),
    **dict.fromkeys(("jdn", "rd", "ordinal"), ("738658", "738828")),
}
# Two years of today in the calendars that are called so.
YEARS = {
    **dict.fromkeys(("hijri", "islamic"), ("1440", "1441")),
    **dict.fromkeys(("jalali", "persian", "shamsi"), ("1400", "1401")),
    **dict.fromkeys(("hebrew", "jewish"), ("5780", "5781")),
    "gregorian": NAMED["year"],
}
# Parts of a whole, which are numbers from 0 to 1.
PARTS = {
    **dict.fromkeys(("probability", "prob", "chance", "quantile", "opacity", "proportion"), ("0.5", "0.25")),
    **dict.fromkeys(("fraction", "ratio", "confidence"), ("0.5", "0.25")),
}
OTHERS = {"type": "str", "int": "2", "bool": "False", "float": "4.25", "complex": "2j"}
MADE = {
    "datetime.date": ("from datetime import date", "date(2024, 5, 17)"),
    "datetime.datetime": ("from datetime import datetime", "datetime(2024, 5, 17, 12, 30)"),
    "datetime.time": ("from datetime import time", "time(12, 30)"),
    "datetime.timedelta": ("from datetime import timedelta", "timedelta(days=1)"),
    "decimal.Decimal": ("from decimal import Decimal", 'Decimal("1.5")'),
    "fractions.Fraction": ("from fractions import Fraction", "Fraction(1, 2)"),
    "uuid.UUID": ("from uuid import UUID", "UUID(int=1)"),
    **dict.fromkeys(("typing.SupportsInt", "typing.SupportsIndex", "typing.SupportsFloat"), ("", "1")),
    "_typeshed.Unused": ("", "object()"),
    **dict.fromkeys(
        ("_typeshed.ConvertibleToInt", "_typeshed.ConvertibleToFloat", "typing.SupportsAbs"), ("", "1")
    ),
    **dict.fromkeys(("numbers.Number", "numbers.Real", "numbers.Integral", "numbers.Rational"), ("", "1")),
    **dict.fromkeys(
        ("datetime.tzinfo", "datetime.timezone"), ("from datetime import timezone", "timezone.utc")
    ),
    "logging.Logger": ("import logging", 'logging.getLogger("name")'),
    **dict.fromkeys(("ast.AST", "ast.Module", "ast.mod"), ("import ast", 'ast.parse("total = 1")')),
    **dict.fromkeys(("ast.expr", "ast.Name"), ("import ast", 'ast.parse("total", mode="eval").body')),
    "_typeshed.SupportsWrite": ("from io import StringIO", "StringIO()"),
    **dict.fromkeys(("typing.Hashable", "collections.abc.Hashable"), ("", '"text"')),
}
OTHERS_MADE = {
    "datetime.date": "date(2025, 11, 3)",
    "datetime.datetime": "datetime(2025, 11, 3, 9, 15)",
    "datetime.time": "time(9, 15)",
    "datetime.timedelta": "timedelta(days=3)",
    "decimal.Decimal": 'Decimal("2.25")',
    "fractions.Fraction": "Fraction(2, 3)",
    "uuid.UUID": "UUID(int=2)",
    **dict.fromkeys(("ast.AST", "ast.Module", "ast.mod"), 'ast.parse("other = 2")'),
    **dict.fromkeys(("ast.expr", "ast.Name"), 'ast.parse("other", mode="eval").body'),
    **dict.fromkeys(("typing.SupportsInt", "typing.SupportsIndex", "typing.SupportsFloat"), "2"),
    **dict.fromkeys(("typing.Hashable", "collections.abc.Hashable"), '"another text"'),
}
LISTS = frozenset(
    {"list", "List", "Sequence", "Iterable", "Collection", "MutableSequence", "Reversible", "Container"}
)
SETS = frozenset({"set", "Set", "AbstractSet", "MutableSet"})
READ_ONCE = frozenset({"Iterator", "Generator"})
DICTS = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
HOLDING = LISTS | SETS | READ_ONCE | DICTS | {"tuple", "Tuple", "frozenset", "FrozenSet"}


class Value(msgspec.Struct, frozen=True):
    """An expression, and the imports that it needs."""

    expression: str
    imports: tuple[str, ...] = ()


def holding(last: str, values: Sequence[Value]) -> Value | None:
    """What holds values, as the type of this name does; None for a mapping of anything but a key and a value."""
    imports = tuple(statement for value in values for statement in value.imports)
    words = ", ".join(value.expression for value in values)
    if last in LISTS:
        return Value(f"[{words}]", imports)
    if last in SETS:
        return Value(f"{{{words}}}", imports)
    if last in READ_ONCE:
        return Value(f"iter([{values[0].expression}])", values[0].imports)
    if last in DICTS:
        pair = ": ".join(value.expression for value in values)
        return Value(f"{{{pair}}}", imports) if len(values) == 2 else None
    return Value(f"frozenset({{{words}}})" if last in ("frozenset", "FrozenSet") else f"({words},)", imports)
