"""The elements of what is made of a table in the source: comprehensions, copies, and the values of a dictionary."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from ingest.web.program.entry_points import entry_points_in
from ingest.web.program.program import Program
from ingest.web.program.targets import Target, ValueTarget
from ingest.web.syntax.scopes import Scope

Elements: TypeAlias = list[tuple[ast.expr, Scope]]
Entries: TypeAlias = list[tuple[ast.expr, ast.expr, Scope]]
_COPYING = frozenset({"list", "tuple", "set", "frozenset", "sorted", "reversed", "iter"})
_MOST = 500


def gathered(
    node: ast.expr | None,
    scope: Scope,
    program: Program,
    elements: Callable[[ast.expr, Scope], Elements | None],
    entries: Callable[[ast.expr, Scope], Entries | None],
) -> Elements | None:
    """The elements of `[m.router for m in MODULES]`, `list(TABLE)`, `TABLE.values()` and their like, as the caller
    reads tables; None for any other expression, and where a table does not stand in the source."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=[table]) if name in _COPYING:
            return elements(table, scope)
        case ast.Call(func=ast.Attribute(value=table, attr="values" | "keys" | "items" as part), args=[]):
            pairs = entries(table, scope)
            return None if pairs is None else [(_part(pair, part), pair[2]) for pair in pairs]
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
            places = _rounds(node.generators, scope, program, elements)
            return None if places is None else [(node.elt, place) for place in places]
    return entry_points_in(program, node, scope) if isinstance(node, ast.Call) else None


def keywords_of(node: ast.expr | None) -> ast.Dict | None:
    """`dict(a=1, **more)` as `{"a": 1, **more}`; None for any other expression."""
    match node:
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=written):
            keys: list[ast.expr | None] = [
                ast.copy_location(ast.Constant(k.arg), k.value) if k.arg else None for k in written
            ]
            return ast.copy_location(ast.Dict(keys, [each.value for each in written]), node)
    return None


def named(
    program: Program,
    target: ast.expr,
    node: ast.expr,
    scope: Scope,
    elements: Callable[[ast.expr, Scope], Elements | None],
    everything: bool = False,
) -> dict[str, Target] | None:
    """What the names of a target stand for where an expression is assigned to it; with `everything` also what is no
    name, such as a tuple of types. None where that cannot be known."""
    if isinstance(target, ast.Name):
        found = program.resolve(node, scope)
        if found is None and everything:
            found = ValueTarget(node, scope)
        return None if found is None else {target.id: found}
    if not isinstance(target, ast.Tuple | ast.List):
        return None
    parts = elements(node, scope)
    if parts is None or len(parts) != len(target.elts):
        return None
    given: dict[str, Target] = {}
    for name, (part, place) in zip(target.elts, parts, strict=True):
        inner = named(program, name, part, place, elements, everything)
        if inner is None:
            return None
        given |= inner
    return given


def _part(pair: tuple[ast.expr, ast.expr, Scope], part: str) -> ast.expr:
    key, value, _ = pair
    return key if part == "keys" else value if part == "values" else ast.Tuple([key, value], ast.Load())


def _rounds(
    generators: list[ast.comprehension],
    scope: Scope,
    program: Program,
    elements: Callable[[ast.expr, Scope], Elements | None],
) -> list[Scope] | None:
    """The scope as each round of a comprehension sees it; None where a condition leaves out some of them."""
    places = [scope]
    for generator in generators:
        inner: list[Scope] = []
        for place in places:
            table = None if generator.ifs else elements(generator.iter, place)
            if table is None or len(inner) + len(table) > _MOST:
                return None
            for node, outside in table:
                given = named(program, generator.target, node, outside, elements, everything=True)
                if given is None:
                    return None
                inner.append(place.round(given))
        places = inner
    return places
