"""What a handler takes from a mapping of the request that it is given: name, form, and whether it must be there."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema
from ingest.web.program.targets import External
from ingest.web.requests.async_values import with_default
from ingest.web.requests.mapping_items import MappingItems

_CONVERSIONS: dict[str, Schema] = {
    "builtins.int": {"type": "integer"},
    "builtins.float": {"type": "number"},
    "builtins.str": {"type": "string"},
    "uuid.UUID": {"type": "string", "format": "uuid"},
}


class Items(MappingItems):
    """Reads the mappings of aiohttp and Starlette, which give text: its type is what it is turned into on the spot."""

    _ONE = frozenset({"get", "getone", "pop"})
    _MANY = frozenset({"getlist", "getall"})

    def _subscript(self, node: ast.Subscript, plain: Schema) -> Schema:
        return self._converted(node, plain)

    def _one(self, call: ast.Call, method: str, plain: Schema) -> Schema:
        return self._converted(call, plain)

    def _defaulted(self, schema: Schema, default: object) -> Schema:
        return with_default(schema, default)

    def _converted(self, node: ast.AST, plain: Schema) -> Schema:
        """The schema of a value that is taken here and turned into a number or UUID on the spot."""
        outer = self._parents.get(node)
        if isinstance(outer, ast.Call) and outer.args == [node] and not outer.keywords:
            target = self._program.resolve(outer.func, self._scope)
            if isinstance(target, External) and target.dotted in _CONVERSIONS:
                return dict(_CONVERSIONS[target.dotted])
        return plain
