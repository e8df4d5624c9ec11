"""Tests of methods that are told what to give where there is nothing."""

from __future__ import annotations

import pytest

from engine.generators.functions.laws import LawGenerator
from planner.functions.cases import function_cases
from planner.generator import Context, Declined, Draft
from tests.engine.generators.drafting import source_of


def answer(stub: str) -> Draft | Declined | None:
    """What is made of the only case of a default; None where there is none."""
    source = source_of({"shop.pyi": stub})
    cases = [case for case in function_cases(source) if case.target.get("law") == "fallback"]
    return LawGenerator().generate(cases[0], Context(source=source, application=None)) if cases else None


@pytest.mark.parametrize(
    ("made", "method", "asked"),
    [
        (
            "self",
            "get(self, key: str, default: object = None) -> object",
            'get("absent", default="fallback")',
        ),
        ("self", "pop(self, name, default=...)", 'pop("absent", default="fallback")'),
        (
            "self, items: list[int] = ...",
            "last(self, default: Any = None) -> Any",
            'last(default="fallback")',
        ),
    ],
)
def test_an_object_that_holds_nothing_gives_what_it_is_told(made: str, method: str, asked: str) -> None:
    found = answer(f"class Shelf:\n    def __init__({made}) -> None: ...\n    def {method}: ...\n")
    assert isinstance(found, Draft)
    assert f'found = shelf.{asked}\n\n    assert found == "fallback"  # inferred\n' in found.source


@pytest.mark.parametrize(
    "method",
    [
        "get(self, url: str, default: object = None) -> object",
        "get(self, key: str, default: int = 0) -> int",
        "price(self, key: str, default: object = None) -> object",
        "get(self, key: int, default: object = None) -> object",
        "get(self, key: str) -> object",
    ],
)
def test_what_is_asked_for_something_else_or_gives_no_text_is_not_asked(method: str) -> None:
    assert answer(f"class Shelf:\n    def __init__(self) -> None: ...\n    def {method}: ...\n") is None


def test_what_is_made_of_several_things_is_made_of_none() -> None:
    stub = "class Shelf:\n    def __init__(self, items: list[int]) -> None: ...\n    def first(self, default): ...\n"
    found = answer(stub)
    assert isinstance(found, Draft)
    assert "shelf = Shelf([])\n" in found.source
