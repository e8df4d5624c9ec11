"""Lists and objects that are written out, by a display or by a comprehension, as JSON."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema
from graph.schemas import normalise
from ingest.web.answers.stores import Stores
from ingest.web.constants.constants import constant
from ingest.web.schemas.json_results import Schemas
from ingest.web.syntax.scopes import Scope


class Displays:
    """Works out such values; `schema` gives the form of each part."""

    def __init__(self, stores: Stores, schema: Schemas) -> None:
        self._stores = stores
        self._schema = schema

    def each(self, element: ast.expr, rounds: list[ast.comprehension], scope: Scope, depth: int) -> Schema:
        """The list that a comprehension makes."""
        outer = len(self._stores.rounds)
        for each in rounds:
            for target in each.target.elts[-1:] if isinstance(each.target, ast.Tuple) else [each.target]:
                if isinstance(target, ast.Name):
                    self._stores.rounds.append((target.id, each.iter, scope))
        try:
            return normalise({"type": "array", "items": self._schema(element, scope, depth + 1)})
        finally:
            del self._stores.rounds[outer:]

    def object(self, node: ast.Dict, scope: Scope, depth: int) -> Schema:
        """The object that a display makes, or a call of `dict` that stands for one."""
        properties: dict[str, Schema] = {}
        required: set[str] = set()
        whole = True
        for key, value in zip(node.keys, node.values, strict=True):
            name = constant(self._stores.program, key, scope) if key is not None else None
            if isinstance(name, str):
                place = {"x-line": value.lineno, "x-path": scope.path}
                properties[name] = {**self._schema(value, scope, depth + 1), **place}
                required.add(name)
            elif key is None and (more := self._stores.further(value, scope)) is not None:
                named, around = more
                given = {k.arg or "": self._schema(k.value, around, depth + 1) for k in named}
                properties.update(given)
                required |= given.keys()
            else:
                inner = self._schema(value, scope, depth + 1) if key is None else {}
                properties.update(inner.get("properties", {}))
                required |= set(inner.get("required", ()))
                whole = whole and inner.get("x-complete") is True
        if not (whole or properties):
            return {"type": "object", "additionalProperties": True}
        made: Schema = {"type": "object", "properties": properties, "required": sorted(required)}
        return normalise({**made, "x-complete": True} if whole and properties else made)
