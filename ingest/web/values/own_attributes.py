"""Attributes of the object whose method is read, under the names by which a scope of one object knows them, and those
that are put on an object where it is made."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ingest.web.program.functions import own_statements, returned
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget, Target, ValueTarget
from ingest.web.syntax.copies import copy_of
from ingest.web.syntax.naming import name_at
from ingest.web.syntax.scopes import Scope

OF_SELF = "self."
"""What such a name begins with."""


def with_names(call: ast.Call, knows: Callable[[str], bool]) -> ast.Call:
    """A call with names in the place of `self.name`, of those that are known: a copy, unless it has none."""
    names = _Names(knows)
    copied: ast.Call = names.visit(copy_of(call))
    return copied if names.put else call


def told_attributes(scope: Scope) -> dict[str, Target]:
    """The attributes of its own object that a method's scope knows, by the names under which it does."""
    found: dict[str, Target] = {}
    inner: Scope | None = scope
    while inner is not None and not inner.is_class:
        for name, (binding, *_) in inner.bindings.items():
            if name.startswith(OF_SELF):
                found.setdefault(name, binding.given)
        inner = inner.parent
    return found


def put_on(program: Program, node: ast.Attribute, scope: Scope) -> list[tuple[ast.expr, Scope]]:
    """The values that an attribute is given where its object is made: `server.api = Api(server)`, in a module or in the
    function that gives the object."""
    owner = program.resolve(node.value, scope)
    if not isinstance(owner, ValueTarget) or not isinstance(owner.node, ast.Call):
        return []
    called = program.resolve(owner.node.func, owner.scope)
    given = returned(called) if isinstance(called, FunctionTarget) else []
    meant = [owner, *(program.resolve(*each) for each in given)]
    places = {inner.node: inner for inner in (owner.scope, *(inner for _, inner in given))}
    return [
        (value, inner)
        for inner in places.values()
        for target, value in _attributes_set(inner.node, node.attr)
        if program.resolve(target.value, inner) in meant
    ]


def _attributes_set(around: ast.AST, name: str) -> list[tuple[ast.Attribute, ast.expr]]:
    """The attributes of this name that the statements of a function or module assign, each with its value."""
    body = getattr(around, "body", ())
    return [
        (target, statement.value)
        for statement in (own_statements(body) if isinstance(body, list) else ())
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Attribute) and target.attr == name
    ]


class _Names(ast.NodeTransformer):
    def __init__(self, knows: Callable[[str], bool]) -> None:
        self.knows = knows
        self.put = False

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        own = isinstance(node.value, ast.Name) and node.value.id == "self"
        if not own or not self.knows(OF_SELF + node.attr):
            return node
        self.put = True
        return name_at(OF_SELF + node.attr, node)
