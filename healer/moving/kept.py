"""Finds old names that are kept beside new ones: functions and classes that only hand on, and mostly warn."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graph.changes import Changes
from graph.facts import Fact, Kind, Tag
from healer.moving.former import Read, Trees, handed_on, warns

_STARTS = ("__init__", "__new__", "__init_subclass__")


def kept_names(changes: Changes, now: Read) -> list[tuple[Fact, Fact]]:
    """Definitions that were something of their own and hand on since to what came: as they were, and what came.

    With a class, its members that came with the other class belong to it.
    """
    came = {(fact.kind, fact.key): fact for fact in changes.added if fact.tag is Tag.CODE}
    trees = Trees(now)
    found: list[tuple[Fact, Fact]] = []
    for before, after in changes.changed:
        if before.tag is not Tag.CODE or before.kind not in (Kind.FUNCTION, Kind.CLASS):
            continue
        place = after.key.rpartition(".")[0]
        target = _target(after, trees)
        new = came.get((before.kind, f"{place}.{target}")) if target else None
        if new is not None:
            found.append((before, new))
            found += _members(before, new, changes, came) if before.kind is Kind.CLASS else ()
    return found


def _target(fact: Fact, trees: Trees) -> str:
    """The name of what a definition hands on to; empty where it does something of its own."""
    defined = trees.defined(fact)
    if defined is None:
        return ""
    around, node = defined
    if not isinstance(node, ast.ClassDef):
        return handed_on(node, is_method=bool(around))
    if len(node.bases) != 1 or node.keywords or not isinstance(node.bases[0], ast.Name):
        return ""
    says = any(warns(each) for each in ast.walk(node) if isinstance(each, ast.stmt))
    return node.bases[0].id if says and all(map(_is_idle, node.body)) else ""


def _is_idle(node: ast.stmt) -> bool:
    """Whether a statement of a class says something, or makes its objects as its base does, and warns."""
    if isinstance(node, ast.FunctionDef) and node.name in _STARTS:
        return all(_is_idle(each) or _is_super(each, node.name) for each in node.body)
    is_said = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_said or isinstance(node, ast.Pass) or warns(node)


def _is_super(node: ast.stmt, name: str) -> bool:
    """Whether a statement calls the method of this name of the base with all that was given."""
    call = node.value if isinstance(node, ast.Expr | ast.Return) else None
    if not isinstance(call, ast.Call):
        return False
    given = [ast.unparse(each) for each in call.args if not isinstance(each, ast.Name)]
    is_whole = given == ["*args"] and [(each.arg, ast.unparse(each.value)) for each in call.keywords] == [
        (None, "kwargs")
    ]
    return ast.unparse(call.func) == f"super().{name}" and is_whole


def _members(
    before: Fact, new: Fact, changes: Changes, came: dict[tuple[Kind, str], Fact]
) -> Iterator[tuple[Fact, Fact]]:
    for member in (*(each for each, _ in changes.changed), *changes.removed):
        if member.tag is Tag.CODE and member.key.startswith(f"{before.key}."):
            after = came.get((member.kind, f"{new.key}{member.key[len(before.key) :]}"))
            if after is not None:
                yield member, after
