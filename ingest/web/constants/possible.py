"""What a list may hold that conditions put together: `[users] + ([debug] if settings.debug else [])`, `append`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from ingest.web.constants.constants import elements
from ingest.web.constants.kept_lists import KeptList, kept_list
from ingest.web.constants.outside_values import setting_named
from ingest.web.program.functions import returned
from ingest.web.program.methods import owner_of_self
from ingest.web.program.program import Program
from ingest.web.program.targets import (
    External,
    FunctionTarget,
    LoopTarget,
    ParameterTarget,
    Target,
    ValueTarget,
)
from ingest.web.syntax.bindings import Bound, Branch
from ingest.web.syntax.scopes import Scope

_DEPTH = 10
Element: TypeAlias = tuple[ast.expr, Scope, bool]
"""An expression, its scope, and whether it is certainly in the list."""


def round_elements(program: Program, target: Target | None) -> list[Element]:
    """What the variable of a loop over such a list stands for; nothing where the list cannot be known."""
    if not isinstance(target, LoopTarget):
        return []
    return possible_elements(program, target.iterable, target.scope) or []


def possible_elements(
    program: Program, node: ast.expr | None, scope: Scope, depth: int = 0
) -> list[Element] | None:
    """The elements of a list that stands in the source; None where a part of it cannot be known."""
    if depth > _DEPTH:
        return None
    match node:
        case ast.List() | ast.Tuple() | ast.Set():
            parts = [
                possible_elements(program, each.value, scope, depth + 1)
                if isinstance(each, ast.Starred)
                else [(each, scope, True)]
                for each in node.elts
            ]
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            parts = [possible_elements(program, each, scope, depth + 1) for each in (left, right)]
        case ast.IfExp(body=body, orelse=orelse):
            chosen = [possible_elements(program, each, scope, depth + 1) for each in (body, orelse)]
            parts = [
                None if part is None else [(value, place, False) for value, place, _ in part]
                for part in chosen
            ]
        case ast.Name() if (grown := _grown(program, node, scope, depth)) is not None:
            parts = grown
        case ast.Attribute() if (kept := kept_list(program, node, scope)) is not None:
            parts = _of_object(program, kept, depth)
        case ast.Name() | ast.Attribute():
            target = program.resolve(node, scope)
            stated = setting_named(program, target) if isinstance(target, External) else None
            if stated is not None:
                return possible_elements(program, *stated, depth + 1)
            if not isinstance(target, ValueTarget) or isinstance(target.node, ast.Name | ast.Attribute):
                return None
            begun = possible_elements(program, target.node, target.scope, depth + 1)
            name = node.id if isinstance(node, ast.Name) else node.attr
            literal = isinstance(target.node, ast.List | ast.BinOp | ast.IfExp)
            added = _added(program, name, target.scope, depth) if literal else ()
            parts = [begun, *added]
        case ast.Call() if (results := _results(program, node, scope)) is not None:
            found = [possible_elements(program, value, inner, depth + 1) for value, inner in results]
            sure = len(found) == 1
            parts = [
                None if part is None else [(v, s, known and sure) for v, s, known in part] for part in found
            ]
        case _:
            listed = elements(program, node, scope)
            parts = [None if listed is None else [(value, place, True) for value, place in listed]]
    return None if any(part is None for part in parts) else [each for part in parts for each in part or ()]


def _results(program: Program, call: ast.Call, scope: Scope) -> list[tuple[ast.expr, Scope]] | None:
    """What a function of the project gives back that is called without anything, be it a method of the same object;
    None for other calls."""
    if call.args or call.keywords:
        return None
    called = program.resolve(call.func, scope)
    if called is None and isinstance(call.func, ast.Attribute):
        held = program.resolve(call.func.value, scope)
        owner = owner_of_self(held) if isinstance(held, ParameterTarget) else None
        called = program.class_member(owner, call.func.attr) if owner is not None else None
    return (returned(called) or None) if isinstance(called, FunctionTarget) else None


def _grown(program: Program, node: ast.Name, scope: Scope, depth: int) -> list[list[Element] | None] | None:
    """What a list holds that `+=` extends, part by part; None for any other name."""
    owner: Scope | None = scope
    while owner is not None and node.id not in owner.bindings:
        owner = owner.parent
    if owner is None:
        return None
    begun, *later = owner.bindings[node.id]
    more = [(b.given, b.branch) for b in later if isinstance(b.given, ast.AugAssign)]
    if not more or len(more) < len(later) or begun.how is not Bound.VALUE:
        return None
    parts = [
        possible_elements(program, begun.value, owner, depth + 1),
        *_added(program, node.id, owner, depth),
    ]
    for grown, branch in more:
        found = possible_elements(program, grown.value, owner, depth + 1)
        sure = branch is Branch.ALWAYS
        parts.append(None if found is None else [(v, s, sure and known) for v, s, known in found])
    return parts


def _of_object(program: Program, kept: KeptList, depth: int) -> list[list[Element] | None]:
    """What a list holds that an object keeps, as it is begun and as its methods add to it."""
    parts = [possible_elements(program, kept.begun, kept.scope, depth + 1)]
    for call, scope in kept.added:
        given, certain = call.args[0], not scope.chooses(call)
        one = isinstance(call.func, ast.Attribute) and call.func.attr == "append"
        found = [(given, scope, True)] if one else possible_elements(program, given, scope, depth + 1)
        parts.append(None if found is None else [(v, s, certain and sure) for v, s, sure in found])
    return parts


def _added(program: Program, name: str, scope: Scope, depth: int) -> Iterator[list[Element] | None]:
    """What the scope that makes a list puts into it afterwards."""
    for call in scope.calls:
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=held), attr=how), args=[given]) if (
                held == name
            ):
                certain = not scope.chooses(call)
                if how == "append":
                    yield [(given, scope, certain)]
                elif how == "extend":
                    found = possible_elements(program, given, scope, depth + 1)
                    yield None if found is None else [(v, s, certain and sure) for v, s, sure in found]
