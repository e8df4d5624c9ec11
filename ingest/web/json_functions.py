"""What the project's functions give, as JSON: whole results, and one of several that are given at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from graph.schema_algebra import Schema, unknown
from ingest.web.bindings import Function
from ingest.web.calls import has_stars
from ingest.web.instances import is_property, returned
from ingest.web.json_changes import Changed
from ingest.web.json_results import Schemas, agreed
from ingest.web.scopes import Scope
from ingest.web.stores import Stores
from ingest.web.targets import FunctionTarget
from ingest.web.verdicts import call_behind


class Functions:
    """Works out what functions give: by the form of what is returned (`schema`), and by what is changed later."""

    def __init__(self, stores: Stores, changed: Changed, schema: Schemas) -> None:
        self._stores = stores
        self._instances = stores.instances
        self._changed = changed
        self._schema = schema
        self._active: list[ast.AST] = []

    def element(self, node: ast.Name, scope: Scope, depth: int) -> Schema | None:
        """One of several values that a function gives at once: `order, problem = checked(data)`."""
        body = getattr(scope.node, "body", [])
        behind = call_behind(node, body) if isinstance(body, list) else None
        called = self._instances.callee(behind[0].func, scope) if behind is not None else None
        if behind is None or behind[1] is None or not isinstance(called, FunctionTarget):
            return None
        index, parts = behind[1], [(value, inner) for value, inner in returned(called)]
        told = [
            (value.elts[index], inner)
            for value, inner in parts
            if isinstance(value, ast.Tuple) and len(value.elts) > index
        ]
        kept = [(v, s) for v, s in told if not (isinstance(v, ast.Constant) and v.value is None)]
        if len(told) < len(parts) or len(kept) != 1 or called.node in self._active:
            return None
        self._active.append(called.node)
        try:
            found = self._schema(*kept[0], depth + 1)
        finally:
            self._active.pop()
        plain = found.get("type") in ("object", "array") and "$ref" not in found
        return self._changed.as_left(found, node.id, scope, depth) if plain else found

    @contextmanager
    def called_with(
        self, function: FunctionTarget, name: str, value: ast.expr, scope: Scope
    ) -> Iterator[None]:
        """While this lasts, a parameter of a function stands for this value."""
        call = ast.Call(func=ast.Name("", ast.Load()), args=[], keywords=[ast.keyword(name, value)])
        self._stores.calls.append((function, call, scope))
        try:
            yield
        finally:
            self._stores.calls.pop()

    def returned(
        self, target: FunctionTarget, depth: int, call: ast.Call | None = None, scope: Scope | None = None
    ) -> Schema:
        """What a function gives, by the arguments of the call where it is known."""
        changed = isinstance(target.node, Function) and target.node.decorator_list
        if target.node in self._active or (changed and not is_property(target.node)):
            return unknown("the value is worked out by a function that cannot be followed")
        self._active.append(target.node)
        calls = len(self._stores.calls)
        if call is not None and scope is not None and not has_stars(call):
            self._stores.calls.append((target, call, scope))
        try:
            found = [self._schema(value, inner, depth + 1) for value, inner in returned(target)]
        finally:
            del self._stores.calls[calls:]
            self._active.pop()
        if not found:
            return unknown("the function returns nothing that can be seen")
        whole = found[0]
        for other in found[1:]:
            whole = agreed(whole, other)
        return whole
