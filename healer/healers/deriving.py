"""Finds the value for a parameter that is required now, where tests, specs or the code itself tell it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graph.facts import Fact
from graph.literals import is_literal
from healer.healers.plan import Plan
from healer.reading.bindings import Scope
from healer.reading.meanings import Meanings


def derived(file: Meanings, plan: Plan, call: ast.Call, function: Fact, name: str) -> str | None:
    """The source text of the value; `None` where nothing tells it.

    In this order: a name of the test that is called like the parameter, the default of the spec, what all examples
    give, what all callers in the function's own module give, the one value that its type allows.
    """
    if _is_known(file, call, name):
        return name
    spec = plan.now.spec(function.key)
    for row in spec.aspects.get("parameters", ()) if spec is not None else ():
        if row[0] == name and row[3] not in (None, "..."):
            return str(row[3])
    shown = set(_shown(function, name)) | (set(_shown(spec, name)) if spec is not None else set())
    if len(shown) == 1:
        return shown.pop()
    given = set(_given_by_code(plan, function, name))
    if len(given) == 1:
        return given.pop()
    return _only_value(plan, function, name)


def _is_known(file: Meanings, call: ast.Call, name: str) -> bool:
    """Whether a name of the test, an argument of it or one of its file, is called so where the call stands."""
    for around in file.source.above(call):
        scope = file.bindings.scopes.get(around)
        if scope is not None and not isinstance(around, ast.ClassDef) and _is_value(scope, name):
            return True
    return False


def _is_value(scope: Scope, name: str) -> bool:
    return any(isinstance(each.node, ast.arg | ast.Name) for each in scope.bound.get(name, ()))


def _shown(fact: Fact, name: str) -> Iterator[str]:
    """What the examples of a docstring give to a parameter."""
    for example in fact.aspects.get("doc", {}).get("examples", ()):
        yield from _given(str(example[0]), fact, name)


def _given_by_code(plan: Plan, function: Fact, name: str) -> Iterator[str]:
    text = plan.read(function.source.path)
    if text is not None:
        yield from _given(text, function, name)


def _given(text: str, function: Fact, name: str) -> Iterator[str]:
    """The literals that the calls in a text give to a parameter of a function."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    rows = function.aspects.get("parameters", ())
    skipped = 1 if function.aspects.get("kind") in ("method", "classmethod") else 0
    at = next((place - skipped for place, row in enumerate(rows) if row[0] == name), -1)
    called = function.key.split(".")[-2] if function.name == "__init__" else function.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == called:
            values = [each.value for each in node.keywords if each.arg == name]
            values += node.args[at : at + 1] if at >= 0 else []
            yield from (ast.get_source_segment(text, each) or "" for each in values if is_literal(each))


def _only_value(plan: Plan, function: Fact, name: str) -> str | None:
    """The one value that the annotation of a parameter allows."""
    for row in function.aspects.get("parameters", ()):
        if row[0] != name or not row[2]:
            continue
        try:
            node = ast.parse(str(row[2]), mode="eval").body
        except (SyntaxError, ValueError):
            return None
        if isinstance(node, ast.Constant) and node.value is None:
            return "None"
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).rpartition(".")[2] == "Literal":
            is_one = isinstance(node.slice, ast.Constant)
            return ast.get_source_segment(str(row[2]), node.slice) if is_one else None
    return None
