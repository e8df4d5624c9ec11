"""Follows methods that became properties, and properties that became methods."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from healer.healers.callees import callee
from healer.healers.plan import Plan
from healer.movements import Cause, Movement
from healer.reading.meanings import Meanings
from healer.reading.source import Edit

SHAPES = frozenset({Cause.BECAME_PROPERTY, Cause.BECAME_METHOD})


def shapes(file: Meanings, plan: Plan) -> list[Edit]:
    """The edits by which properties are read and methods are called."""
    to_property = {each.subject: each for each in plan.of(Cause.BECAME_PROPERTY)}
    to_method = {each.subject: each for each in plan.of(Cause.BECAME_METHOD)}
    edits: list[Edit] = []
    for node in file.source.nodes if to_property or to_method else ():
        if isinstance(node, ast.Call) and not node.args and not node.keywords:
            edits += _read(file, plan, node, to_property)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            edits += _called(file, plan, node, to_method)
    return edits


def _read(file: Meanings, plan: Plan, node: ast.Call, moved: dict[str, Movement]) -> Iterator[Edit]:
    found = callee(file, plan, node.func, frozenset(moved)) if isinstance(node.func, ast.Attribute) else None
    if found is not None and not found.given:
        plan.follow(moved[found.function])
        yield Edit(file.source.end(node.func), file.source.end(node), "")


def _called(file: Meanings, plan: Plan, node: ast.Attribute, moved: dict[str, Movement]) -> Iterator[Edit]:
    found = callee(file, plan, node, frozenset(moved))
    if found is None or found.given or file.source.identifier(node, node.attr) is None:
        return
    plan.follow(moved[found.function])
    yield Edit(file.source.end(node), file.source.end(node), "()")
