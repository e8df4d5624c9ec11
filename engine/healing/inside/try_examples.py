"""Tries examples of docstrings under pytest; copied beside an `examples.json` that lists them, and run there.

The list has for each docstring or page `module`, whose names its examples see (empty for a page), and `examples`:
pairs of source and expected text. A test fails with a JSON object that gives for each example that did not hold, by its
number, what came instead; null where it raised something.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
_LONGEST = 200
_Out = Callable[[str], Any]


class Alike(doctest.OutputChecker):
    """Takes a value that is spelled otherwise for the same: other quotes, fewer places of a number, a text as it is."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        """Whether what came is what was expected."""
        return super().check_output(want, got, optionflags) or _is_same(want.strip(), got.strip())


class Trying(doctest.DocTestRunner):
    """Runs all examples of a docstring and keeps what did not hold."""

    def __init__(self) -> None:
        super().__init__(Alike(), verbose=False, optionflags=_LENIENT)
        self.wrong: dict[int, str | None] = {}

    def report_start(self, out: _Out, test: doctest.DocTest, example: doctest.Example) -> None:
        """Say nothing."""

    def report_failure(self, out: _Out, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        """Keep what came."""
        self.wrong[example.lineno] = got.strip()[:_LONGEST]

    def report_unexpected_exception(
        self, out: _Out, test: doctest.DocTest, example: doctest.Example, exc_info: Any
    ) -> None:
        """Keep that it raised."""
        self.wrong[example.lineno] = None


def _is_same(want: str, got: str) -> bool:
    if want == "None" and not got:
        return True  # A console shows nothing for it.
    try:
        came = ast.literal_eval(got)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    try:
        expected = ast.literal_eval(want)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        expected = want
    if isinstance(expected, float) and isinstance(came, float):
        return math.isclose(expected, came, rel_tol=1e-8)
    return bool(type(expected) is type(came) and expected == came)


def _listed() -> list[dict[str, Any]]:
    place = Path(__file__).with_name("examples.json")
    found: list[dict[str, Any]] = json.loads(place.read_text(encoding="utf-8")) if place.is_file() else []
    return found


@pytest.mark.parametrize("number", range(len(_listed())))
def test_examples(number: int) -> None:
    """All examples of one docstring hold."""
    listed = _listed()[number]
    name = listed["module"]
    top = name.partition(".")[0]
    names = {top: importlib.import_module(top), **vars(importlib.import_module(name))} if name else {}
    examples = [
        doctest.Example(f"{source}\n", f"{expected}\n" if expected else "", lineno=place)
        for place, (source, expected) in enumerate(listed["examples"])
    ]
    trying = Trying()
    trying.run(doctest.DocTest(examples, names, name or "page", None, 0, None), out=lambda text: None)
    if trying.wrong:
        raise AssertionError(json.dumps(trying.wrong))
