"""Calls that pass on tables which stand in the source: `add_url_rule(path, **options)`, written out."""

from __future__ import annotations

import ast

from ingest.web.constants.constants import elements, entries, text_of
from ingest.web.program.calls import has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import Target, ValueTarget
from ingest.web.syntax.naming import name_at
from ingest.web.syntax.scopes import Scope


def written_out(program: Program, call: ast.Call, scope: Scope) -> tuple[ast.Call, Scope]:
    """A call with what its `*` and `**` pass on as arguments of its own, and the scope in which to read it.

    Where such a table does not stand in the source, the call is as it was.
    """
    if not has_stars(call):
        return call, scope
    given: dict[str, Target] = {}
    positional: list[ast.expr] = []
    for each in call.args:
        held = elements(program, each.value, scope) if isinstance(each, ast.Starred) else [(each, scope)]
        if held is None:
            return call, scope
        positional += [_placed(value, place, scope, given) for value, place in held]
    named: list[ast.keyword] = []
    for keyword in call.keywords:
        if keyword.arg is not None:
            named.append(keyword)
            continue
        pairs = entries(program, keyword.value, scope)
        keys = [text_of(program, key, place) for key, _, place in pairs or []]
        if pairs is None or not all(keys):
            return call, scope
        named += [
            ast.keyword(key, _placed(value, place, scope, given))
            for key, (_, value, place) in zip(keys, pairs, strict=True)
        ]
    made = ast.copy_location(ast.Call(call.func, positional, named), call)
    return made, scope.round(given) if given else scope


def _placed(node: ast.expr, place: Scope, scope: Scope, given: dict[str, Target]) -> ast.expr:
    """An expression as the scope of the call can read it: one of another scope by a name of its own."""
    if place is scope:
        return node
    name = f"*{len(given)}"
    given[name] = ValueTarget(node, place)
    return name_at(name, node)
