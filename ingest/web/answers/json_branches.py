"""Values that a function makes in one of several branches, as JSON: the branch that is taken, where that is known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TypeAlias

from graph.schema_algebra import Schema, unknown
from ingest.web.answers.stores import Stores
from ingest.web.program.targets import ClassTarget, External, Target
from ingest.web.schemas.json_results import BY_HAND, Schemas, agreed
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.scopes import Scope

Classes: TypeAlias = Callable[[ast.expr, Scope], Target | None]
_BUILT_IN = {"array": frozenset({"list"}), "object": frozenset({"dict"}), "string": frozenset({"str"})}
_KINDS = frozenset({"list", "tuple", "set", "frozenset", "dict", "str", "int", "float", "bool", "bytes"})


class Branches:
    """Works out such values; `schema` gives the form of one, `of_class` of which class it is."""

    def __init__(self, stores: Stores, schema: Schemas, of_class: Classes) -> None:
        self._stores = stores
        self._schema = schema
        self._of_class = of_class

    def named(self, node: ast.Name, scope: Scope, depth: int) -> Schema:
        """What a name stands for that one `if` gives a value in each of its branches; unknown for any other name."""
        bindings = scope.bindings.get(node.id, [])
        if len(bindings) < 2 or any(each.how is not Bound.VALUE or each.value is None for each in bindings):
            return unknown(BY_HAND)
        values = {each.value for each in bindings}
        for statement in getattr(scope.node, "body", ()):
            made = list(_leaves(statement, node.id)) if isinstance(statement, ast.If) else []
            if made and None not in made and set(made) == values:
                assert isinstance(statement, ast.If), "only these have branches"
                return self._taken(statement, node.id, scope, depth)
        return unknown(BY_HAND)

    def holds(self, test: ast.expr, scope: Scope, depth: int) -> bool | None:
        """Whether a test for a type of Python's own holds, where what is given is known; else None."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                found = self.holds(inner, scope, depth)
                return None if found is None else not found
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name) as tested, kinds]):
                listed = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
                named = {self._built_in(each, scope) for each in listed}
                return self._is_one_of(tested, name, named, scope, depth) if named <= _KINDS else None
        return None

    def _is_one_of(self, node: ast.Name, name: str, kinds: set[str], scope: Scope, depth: int) -> bool | None:
        value, place = self._stores.argument(name, scope) or (node, scope)
        if isinstance(self._of_class(value, place), ClassTarget):
            return False
        own = _BUILT_IN.get(str(self._schema(value, place, depth + 1).get("type")))
        return None if own is None else bool(own & kinds)

    def _built_in(self, node: ast.expr, scope: Scope) -> str:
        found = self._stores.program.resolve(node, scope)
        return found.name if isinstance(found, External) and found.root == "builtins" else ""

    def _taken(self, node: ast.If, name: str, scope: Scope, depth: int) -> Schema:
        holds = self.holds(node.test, scope, depth)
        ways = [node.body, node.orelse] if holds is None else [node.body if holds else node.orelse]
        found = [self._within(way, name, scope, depth) for way in ways]
        return agreed(*found) if len(found) == 2 else found[0]

    def _within(self, body: list[ast.stmt], name: str, scope: Scope, depth: int) -> Schema:
        if len(body) == 1 and isinstance(body[0], ast.If):
            return self._taken(body[0], name, scope, depth)
        return self._schema(next(value for each in body if (value := _given(each, name))), scope, depth + 1)


def _leaves(node: ast.If, name: str) -> Iterator[ast.expr | None]:
    """What each branch gives a name; None for one that gives it nothing, or several values."""
    for body in (node.body, node.orelse):
        if len(body) == 1 and isinstance(body[0], ast.If):
            yield from _leaves(body[0], name)
            continue
        given = [value for each in body if (value := _given(each, name)) is not None]
        yield given[0] if len(given) == 1 else None


def _given(statement: ast.stmt, name: str) -> ast.expr | None:
    match statement:
        case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
            return value
        case ast.AnnAssign(target=ast.Name(id=target), value=value) if target == name:
            return value
    return None
