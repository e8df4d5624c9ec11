"""Members of enumerations whose values `auto()` gives."""

from __future__ import annotations

import pytest

from tests.crossval.test_constructors import found

HEAD = "import enum\nfrom enum import Enum, Flag, StrEnum, auto\n"


def values(stub: str, code: str) -> list[str]:
    return found({"a.pyi": HEAD + stub, "a.py": HEAD + code})


@pytest.mark.parametrize(
    ("base", "right", "wrong"),
    [
        ("Enum", "1", "2"),
        ("enum.IntEnum", "1", "0"),
        ("Flag", "1", "2"),
        ("StrEnum", "'first'", "'FIRST'"),
    ],
)
def test_the_first_value_is_known_by_the_enumeration(base: str, right: str, wrong: str) -> None:
    code = f"class C({base}):\n    FIRST = auto()"
    assert values(f"class C({base}):\n    FIRST = {right}", code) == []
    assert values(f"class C({base}):\n    FIRST = {wrong}", code) == [
        "attribute-value-mismatch attribute a.C.FIRST value"
    ]


@pytest.mark.parametrize(
    ("base", "members", "last"),
    [
        ("Enum", "A = 5\n    B = enum.auto()", 6),
        ("Flag", "A = 4\n    B = enum.auto()", 8),
        ("Flag", "A = auto()\n    B = auto()\n    def f(self): ...\n    B = auto()", None),
        ("Enum", "A = 5\n    X = 2\n    B = auto()", None),
        ("Enum", "A = vendor()\n    B = auto()", None),
        ("Enum", "def _generate_next_value_(*args): return 0\n    B = auto()", None),
        ("str, Enum", "B = auto()", None),
    ],
)
def test_later_values_are_known_where_those_before_are_numbers(
    base: str, members: str, last: int | None
) -> None:
    told = values(f"class C({base}):\n    B = 99", f"class C({base}):\n    {members}")
    assert ("attribute-value-mismatch attribute a.C.B value" in told) == (last is not None)
    if last is not None:
        right = values(f"class C({base}):\n    B = {last}", f"class C({base}):\n    {members}")
        assert "attribute-value-mismatch attribute a.C.B value" not in right
