"""Functions whose names stand for something that everybody knows, and objects that are told and asked."""

from __future__ import annotations

import pytest

from engine.generators.functions.laws import LawGenerator
from planner.functions.cases import function_cases
from planner.functions.known_answers import KNOWN
from planner.generator import Context, Draft
from tests.engine.generators.drafting import source_of

KEEPING = frozenset({"found", "given", "put again"})


def texts(
    laws: frozenset[str], stub: str, path: str = "shop.pyi", more: dict[str, str] | None = None
) -> list[str]:
    """The sources of the tests of these laws; each assertion is inferred."""
    source = source_of({path: stub, **(more or {})})
    found = []
    for case in function_cases(source):
        if case.target.get("law") in laws:
            answer = LawGenerator().generate(case, Context(source=source, application=None))
            assert isinstance(answer, Draft), answer
            assert all(each.inferred for each in answer.assertions)
            found.append(answer.source.replace("  # inferred", ""))
    return found


@pytest.mark.parametrize(
    ("stub", "path", "line"),
    [
        ("def is_leap_year(year: int) -> bool: ...\n", "shop.pyi", "assert is_leap_year(1900) is False"),
        (
            "def toSnakeCase(text: str) -> str: ...\n",
            "shop.pyi",
            'assert toSnakeCase("fooBarBaz") == "foo_bar_baz"',
        ),
        (
            "from datetime import datetime\ndef parse_date(it: str) -> datetime: ...\n",
            "iso8601.pyi",
            'assert parse_date("2024-05-17T12:30:00Z") == datetime.datetime(2024, 5, 17, 12, 30, tzinfo',
        ),
        (
            "from datetime import datetime\ndef from_iso(it: str) -> datetime: ...\n",
            "shop.pyi",
            'assert from_iso("2024-05-17T12:30:00+02:00") == datetime.datetime(2024, 5, 17, 10, 30, tzinfo',
        ),
        (
            "def is_valid_isbn(it: str) -> bool: ...\n",
            "shop.pyi",
            'assert is_valid_isbn("9780306406158") is False',
        ),
        ("def gcd(a: int, b: int) -> int: ...\n", "shop.pyi", "assert gcd(12, 18) == 6"),
        (
            "from typing import Any\ndef dumps(it: Any) -> bytes: ...\n",
            "shop_json.pyi",
            'assert json.loads(dumps(["é€𝄞"])) == ["é€𝄞"]',
        ),
        (
            'from typing import Any\ndef loads(it: str) -> Any:\n    """Read a document in JSON."""\n',
            "shop.pyi",
            "assert loads('[0, -17, 1e21, 1e-07]') == [0, -17, 1e21, 1e-07]",
        ),
    ],
)
def test_a_function_answers_as_its_name_says(stub: str, path: str, line: str) -> None:
    (text,) = texts(frozenset({KNOWN}), stub, path)
    assert f"    {line}" in text


@pytest.mark.parametrize(
    ("stub", "path"),
    [
        ("def is_leap_year(year: int) -> bool: ...\n", "hebrew.pyi"),
        ("def is_leap_year(year: int) -> str: ...\n", "shop.pyi"),
        ("def is_leap_year(year: int, calendar: str) -> bool: ...\n", "shop.pyi"),
        ("def gcd(*numbers: int) -> int: ...\n", "shop.pyi"),
        ("async def slugify(text: str) -> str: ...\n", "shop.pyi"),
        ("def parse_date(it: str) -> datetime: ...\n", "shop.pyi"),
        ("def slugify(*, text: str) -> str: ...\n", "shop.pyi"),
    ],
)
def test_a_name_says_nothing_where_types_or_places_say_otherwise(stub: str, path: str) -> None:
    assert texts(frozenset({KNOWN}), stub, path) == []


DESK = """\
class Desk:
    def __init__(self, size: int = 3) -> None: ...
    def add(self, name: str, count: int = 1) -> None: ...
    def has(self, name: str) -> bool: ...
    def remove(self, name: str) -> None: ...
    def set_price(self, name: str, value: float) -> None: ...
    def get_price(self, name: str) -> float | None: ...
    def has_price(self, currency: str) -> bool: ...
    def find(self, size: str) -> str | None: ...
"""


def test_what_an_object_was_told_by_one_method_is_known_to_the_other() -> None:
    found, again, given = texts(KEEPING, DESK)
    made = '    desk = Desk()\n\n    desk.add("another name")\n    found = desk.'
    assert f'{made}has("another name")\n\n    assert found is True\n' in found
    assert (
        f'{made}remove("another name")\n    desk.add("another name")\n\n    assert found is None\n' in again
    )
    assert 'desk.set_price("another name", 4.25)\n    found = desk.get_price("another name")\n' in given
    assert "    assert found == 4.25\n" in given


def test_objects_that_are_shown_are_containers_as_their_methods_say() -> None:
    stub = """\
class Row:
    def __init__(self, text) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self): ...
    def __getitem__(self, place: int): ...
    def __eq__(self, other: object) -> bool: ...
    def copy(self): ...
    def keys(self): ...
    def values(self): ...
    def items(self): ...
"""
    laws = frozenset({"counted", "indexed", "duplicated", "itemized", "equal"})
    assert texts(laws, stub) == []
    shown = {"README.md": "# Rows\n\n```python\nfrom shop import Row\n\nrow = Row('a b')\n```\n"}
    text = "".join(texts(laws, stub, more=shown))
    for line in (
        "assert len(row) == len(list(row))",
        "assert [row[number] for number in range(len(row))] == list(row)",
        "assert row.copy() == row",
        "assert list(row.items()) == list(zip(row.keys(), row.values()))",
        "assert first == second",
    ):
        assert f"    {line}\n" in text
