"""Calls to which a view of the REST framework hands the request's query: which parameters of it they read."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.constants.constants import text_of
from ingest.web.drf.request_calls import QUERY
from ingest.web.program.calls import has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of

_DEPTH: Final = 3
_ASKING: Final = frozenset({"get", "getlist"})


def handed_query(program: Program, part: ast.AST, scope: Scope) -> tuple[set[str], set[ast.AST]] | None:
    """The keys of the parameters that a function of the project reads of the query that a call gives it
    (`statistics(request.query_params)`), and the places of that query in the call; None where it may read others, and
    for what is no such call."""
    if not isinstance(part, ast.Call) or has_stars(part):
        return None
    places = {each for each in _values(part) if isinstance(each, ast.Attribute) and each.attr in QUERY}
    if not places:
        return None
    found = _read(program, part, scope, places, 0)
    return ({f"query.{name}" for name in found}, set[ast.AST](places)) if found is not None else None


def _read(
    program: Program, call: ast.Call, scope: Scope, places: set[ast.Attribute] | set[ast.Name], depth: int
) -> set[str] | None:
    """The names that the called function reads of what it is given at these places."""
    called = program.resolve(call.func, scope)
    if not isinstance(called, FunctionTarget) or not isinstance(called.node, Function) or depth > _DEPTH:
        return None
    node = called.node
    if node.decorator_list or has_stars(call):
        return None
    taken = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    known = {each.arg for each in (*node.args.args, *node.args.posonlyargs, *node.args.kwonlyargs)}
    given = [*zip(taken, call.args, strict=False), *((each.arg or "", each.value) for each in call.keywords)]
    names = [name for name, value in given if value in places]
    if len(names) != len(places) or not set(names) <= known:
        return None
    found: set[str] = set()
    for name in names:
        inner = _named(program, node, called.body, name, depth)
        if inner is None:
            return None
        found |= inner
    return found


def _named(program: Program, node: Function, scope: Scope, name: str, depth: int) -> set[str] | None:
    """The names that a function reads of the query that it knows by a name; None where it may read others."""
    found: set[str] = set()
    seen: set[ast.AST] = set()
    parts = list(nodes_of(node))
    for part in parts:
        match part:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=used) as owner, attr=asked), args=[written, *_]
            ):
                if used != name or asked not in _ASKING:
                    continue
            case ast.Subscript(value=ast.Name(id=used) as owner, slice=written, ctx=ast.Load()):
                if used != name:
                    continue
            case ast.Compare(
                left=written, ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=used) as owner]
            ):
                if used != name:
                    continue
            case ast.Call():
                passed = {each for each in _values(part) if isinstance(each, ast.Name) and each.id == name}
                inner = _read(program, part, scope, passed, depth + 1) if passed else set()
                if inner is None:
                    return None
                found |= inner
                seen |= passed
                continue
            case _:
                continue
        text = text_of(program, written, scope)
        if text is None:
            return None
        found.add(text)
        seen.add(owner)
    plain = all(part in seen for part in parts if isinstance(part, ast.Name) and part.id == name)
    return found if plain else None


def _values(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(each.value for each in call.keywords)]
