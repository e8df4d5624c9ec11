"""What a Flask handler takes from a mapping of its request: its name and type, and whether it must be there."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema, unknown
from ingest.web.program.calls import argument
from ingest.web.program.targets import External
from ingest.web.requests.mapping_items import MappingItems

_TYPES: dict[str, Schema] = {
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "str": {"type": "string"},
    "bool": {"type": "boolean"},
}


class Items(MappingItems):
    """Reads Werkzeug's mappings: the type of a value is an argument of the method that gives it."""

    _ONE = frozenset({"get", "pop"})
    _MANY = frozenset({"getlist"})

    def _each(self, call: ast.Call, plain: Schema) -> Schema:
        return self._typed(argument(call, 1, "type"), plain)

    def _one(self, call: ast.Call, method: str, plain: Schema) -> Schema:
        return self._typed(argument(call, 2 if method == "get" else 1, "type"), plain)

    def _typed(self, node: ast.expr | None, plain: Schema) -> Schema:
        if node is None:
            return plain
        target = self._program.resolve(node, self._scope)
        if isinstance(target, External) and target.root == "builtins" and target.name in _TYPES:
            # bool("false") is true: whatever is sent is accepted, so no type is promised.
            return unknown("bool() takes any text") if target.name == "bool" else dict(_TYPES[target.name])
        if isinstance(target, External) and target.dotted == "uuid.UUID":
            return {"type": "string", "format": "uuid"}
        return unknown("the conversion is not known")
