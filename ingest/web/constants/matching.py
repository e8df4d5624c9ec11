"""Tests of a text against a regular expression: `re.fullmatch(PATTERN, text)`, `CODE.match(text)`."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.constants.constants import text_of
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import External, ValueTarget
from ingest.web.syntax.scopes import Scope

_METHODS: Final = frozenset({"match", "fullmatch", "search"})


def matched_by(program: Program, test: ast.Call, scope: Scope) -> tuple[ast.expr, str] | None:
    """The text that a call matches, and the pattern as JSON Schema would write it; None for any other call."""
    function = test.func
    if not isinstance(function, ast.Attribute) or function.attr not in _METHODS:
        return None
    whole = program.resolve(function, scope)
    if isinstance(whole, External) and whole.root in ("re", "regex"):
        text, pattern = argument(test, 1, "string"), text_of(program, argument(test, 0, "pattern"), scope)
        plain = len(test.args) + len(test.keywords) == 2
    else:
        text, pattern = argument(test, 0, "string"), _compiled(program, function.value, scope)
        plain = len(test.args) + len(test.keywords) == 1
    if text is None or pattern is None or not plain:
        return None
    return text, _anchored(pattern, function.attr)


def _compiled(program: Program, node: ast.expr, scope: Scope) -> str | None:
    """The pattern of `re.compile("…")` without flags, also behind a name."""
    target = program.resolve(node, scope)
    made = target.node if isinstance(target, ValueTarget) else None
    if not isinstance(target, ValueTarget) or not isinstance(made, ast.Call) or len(made.args) != 1:
        return None
    called = program.resolve(made.func, target.scope)
    if called != External("re.compile") or made.keywords:
        return None
    return text_of(program, made.args[0], target.scope)


def _anchored(pattern: str, method: str) -> str:
    """The pattern with the anchors that the method implies; `$` and Python's `\\Z` mean the same in JSON Schema."""
    shown = pattern.removesuffix("\\Z") + "$" if pattern.endswith("\\Z") else pattern
    if method == "search" or ("|" in shown and not shown.startswith("^")):
        return shown if method == "search" else f"^(?:{shown})" + ("$" if method == "fullmatch" else "")
    shown = shown if shown.startswith("^") else f"^{shown}"
    return shown if method == "match" or shown.endswith("$") else f"{shown}$"
