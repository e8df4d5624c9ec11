"""The parts of the benchmark of tests of functions: what is hollow raises, and labels say which statement is broken."""

from __future__ import annotations

import ast

import pytest

from benchmarks.tdd.hollowing import hollow
from benchmarks.tdd.packages import settings
from benchmarks.tdd.spec_breaking import breaks

SOURCE = '''
import functools

SIZE = 3


@functools.cache
def price(size: int = 2) -> str:
    """What it costs.

    Raises:
        ValueError: if size is negative
    """
    if size < 0:
        raise ValueError(size)
    return str(size * SIZE)


class Shop:
    async def close(self):
        self.closed = True


def start():
    return 1
'''


def test_what_is_hollow_keeps_names_signatures_and_words_and_does_nothing_else() -> None:
    first = SOURCE.splitlines().index("def start():") + 1
    tree = ast.parse(hollow(SOURCE, [first]))
    price, shop, start = (node for node in tree.body if not isinstance(node, ast.Import | ast.Assign))
    assert isinstance(price, ast.FunctionDef)
    assert isinstance(shop, ast.ClassDef)
    assert ast.unparse(price.args) == "size: int=2"
    assert (ast.get_docstring(price) or "").startswith("What it costs.")
    assert ast.unparse(price.body[1:][0]) == ast.unparse(shop.body[0]).splitlines()[-1].strip()
    assert ast.unparse(price.body[1]) == "raise NotImplementedError"
    assert "return 1" in ast.unparse(start)


def test_a_function_that_runs_on_import_is_known_by_its_first_decorator() -> None:
    first = SOURCE.splitlines().index("@functools.cache") + 1
    assert "return str(size * SIZE)" in hollow(SOURCE, [first])


@pytest.mark.parametrize(
    ("kind", "old", "new", "stub", "broken"),
    [
        ("return", "return str(size * SIZE)", "return None", "size: int = 2", "it is said to return str"),
        ("default", "size: int = 2", "size: int = 3", "size: int = 2", "size is said to be 2 by default"),
        ("default", "size: int = 2", "size: int = 3", "size: int = ...", ""),
        ("exception", "raise ValueError(", "raise RuntimeError(", "", "it is said to raise ValueError"),
        ("operator", "size * SIZE", "size + SIZE", "size: int = 2", ""),
    ],
)
def test_a_mutant_breaks_what_stub_or_docstring_say(
    kind: str, old: str, new: str, stub: str, broken: str
) -> None:
    stubs = {"shop.py": f"def price({stub}) -> str: ...\n"}
    assert breaks(kind, "shop.py", "price", SOURCE, SOURCE.replace(old, new), stubs) == broken


def test_half_of_the_packages_are_unread_and_both_halves_have_both_sets() -> None:
    listed = [(each["part"], each["set"]) for each in settings()["package"]]
    assert sum(part == "unread" for part, _ in listed) * 2 == len(listed)
    assert {part: {s for p, s in listed if p == part} for part in ("read", "unread")} == {
        "read": {"examples", "stubs"},
        "unread": {"examples", "stubs"},
    }
