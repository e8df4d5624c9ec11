"""Analyses one failed test: what pytest reported of it, and what stands in its file."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from healer.analysing.categories import category_of, symbol_of
from healer.analysing.locating import expected_exception, function_around, occurrences, sides, source_of
from healer.analysis import Analysis, Category
from healer.reading.suite import is_of_tests
from planner.validator import Frame, Outcome

_COMPARED = re.compile(r"(?:assert )?(?P<left>.+?) (?:==|is|!=) (?P<right>.+?)(?: : .*)?$")
_PATCH_LINES = 10


def analyse(outcome: Outcome, read: Callable[[str], str | None]) -> Analysis:
    """The analysis of a red test; `read` gives the text of a file of the project, `None` where there is none."""
    file = outcome.node.partition("::")[0]
    category = category_of(outcome.verdict, outcome.exception, outcome.message)
    symbol = symbol_of(outcome.message, outcome.exception)
    place = _place(outcome, file)
    text = (read(place.path) if place is not None else None) or ""
    line = place.line if place is not None else 0
    expected, observed, wanted = _values(outcome, category, text, line)
    own = read(file) or ""
    places = occurrences(own, symbol or expected) if symbol or expected else []
    scope = _scope(own, places)
    lines = len(set(places))
    return Analysis(
        node=outcome.node,
        file=file,
        category=category,
        exception=outcome.exception,
        message=outcome.message,
        root=next((each for each in reversed(outcome.frames) if each.owner != "library"), None),
        line=line,
        source=source_of(text, line),
        symbol=symbol,
        expected=expected,
        observed=observed,
        wanted=wanted,
        scope=scope,
        uniqueness=1 / len(places) if places else 0.0,
        lines=lines,
        locations=len(places),
        method=_method(places, scope, lines),
    )


def _place(outcome: Outcome, file: str) -> Frame | None:
    """The innermost frame of the test's own file; else that of any file of tests, else none."""
    frames = [each for each in reversed(outcome.frames) if each.owner != "library"]
    own = next((each for each in frames if each.path == file), None)
    return own or next((each for each in frames if each.owner == "test" or is_of_tests(each.path)), None)


def _values(outcome: Outcome, category: Category, text: str, line: int) -> tuple[str, str, str]:
    """What the test expected and what came, as source texts, and what it expected as the report shows it; empty where
    that is not known."""
    wanted = expected_exception(text, line)
    if wanted:
        return wanted, "" if category is Category.ASSERTION_FAILURE else outcome.exception, ""
    compared = sides(text, line)
    if category is not Category.ASSERTION_FAILURE or compared is None:
        return "", "", ""
    observed_side, expected_side = compared
    expected = ast.unparse(expected_side)
    found = _COMPARED.match(outcome.message.partition("\n")[0])
    if found is None:
        return expected, "", ""
    is_left = (observed_side.lineno, observed_side.col_offset) < (
        expected_side.lineno,
        expected_side.col_offset,
    )
    shown = found["left"], found["right"]
    return (expected, *(shown if is_left else reversed(shown)))


def _scope(text: str, places: list[int]) -> str:
    if len(set(places)) <= 1:
        return "local"
    functions = {function_around(text, each) for each in set(places)}
    return "multi_line" if len(functions) == 1 and None not in functions else "file_wide"


def _method(places: list[int], scope: str, lines: int) -> str:
    if len(places) == 1:
        return "update"
    return "patch" if places and scope != "file_wide" and lines < _PATCH_LINES else "rewrite"
