"""Names that no one expression tells: one of several values, by a condition, or a part of what a call gives."""

from __future__ import annotations

import ast

from ingest.web.program.program import Program
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.scopes import Scope

_DEPTH = 8
_ABOUT = frozenset(
    {
        "title",
        "summary",
        "description",
        "version",
        "docs_url",
        "redoc_url",
        "openapi_url",
        "lifespan",
        "debug",
    }
)
"""What an application is told about itself, which changes nothing that its routes take or give."""


def either(program: Program, node: ast.expr, scope: Scope, depth: int = 0) -> list[tuple[ast.expr, Scope]]:
    """The values that a name may have, each with where it is written; none where something else may bind it too."""
    if isinstance(node, ast.IfExp):
        return [(node.body, scope), (node.orelse, scope)]
    owner: Scope | None = scope if isinstance(node, ast.Name) else None
    while owner is not None and isinstance(node, ast.Name) and node.id not in owner.bindings:
        owner = owner.parent
    if owner is None or not isinstance(node, ast.Name) or depth > _DEPTH:
        return []
    bindings = owner.bindings[node.id]
    if len(bindings) == 1 and bindings[0].how is Bound.MEMBER:
        here = program.module(owner.module)
        dotted = here.absolute(bindings[0].module, bindings[0].level) if here is not None else ""
        module = program.module(dotted)
        named = ast.Name(id=bindings[0].member, ctx=ast.Load())
        return either(program, named, module.scope, depth + 1) if module is not None else []
    values = [binding.value for binding in bindings if binding.value is not None]
    known = all(binding.how is Bound.VALUE for binding in bindings)
    return [(value, owner) for value in values] if known and len(values) > 1 else []


def part_of_call(
    program: Program, node: ast.expr, scope: Scope, depth: int = 0
) -> tuple[ast.Call, int, Scope] | None:
    """The call of which a name is a part (`app, api = make()`), and which part, with where the call stands."""
    found = scope.find(node.id, node.lineno) if isinstance(node, ast.Name) and depth < _DEPTH else None
    if found is None:
        return None
    owner, binding = found
    if binding.how is Bound.OTHER and isinstance(binding.given, tuple):
        return *binding.given, owner
    if binding.how is not Bound.MEMBER:
        return None
    here = program.module(owner.module)
    module = program.module(here.absolute(binding.module, binding.level)) if here is not None else None
    named = ast.Name(binding.member, ast.Load(), lineno=1_000_000_000)
    return part_of_call(program, named, module.scope, depth + 1) if module is not None else None


def attribute_behind(node: ast.expr, scope: Scope) -> tuple[ast.Attribute, Scope] | None:
    """The attribute that a name is given (`app = self.app`), with where it is written; None for any other."""
    found = scope.find(node.id, node.lineno) if isinstance(node, ast.Name) else None
    if found is None or found[1].how is not Bound.VALUE or not isinstance(found[1].value, ast.Attribute):
        return None
    return found[1].value, found[0]


def told_alike(calls: list[ast.Call | None]) -> bool:
    """Whether all of several calls are given the same, but for what tells about an application."""
    told = {
        ast.dump(ast.Call(ast.Name("f"), c.args, [k for k in c.keywords if k.arg not in _ABOUT]))
        for c in calls
        if c is not None
    }
    return len(told) == 1 and None not in calls
