"""What a Flask handler takes from a mapping of its request: its name and type, and whether it must be there."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set

from graph.schema_algebra import Schema, unknown
from ingest.web.calls import argument
from ingest.web.constants import Missing, constant
from ingest.web.loop_keys import Keys
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.targets import External

_TYPES: dict[str, Schema] = {
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "str": {"type": "string"},
    "bool": {"type": "boolean"},
}


class Items:
    """Reads such uses in one function; `certain` are the expressions that each accepted request passes."""

    def __init__(
        self, program: Program, parents: Mapping[ast.AST, ast.AST], scope: Scope, certain: Set[ast.AST]
    ) -> None:
        self.keys = Keys(program, parents, scope)
        self._program = program
        self._parents = parents
        self._scope = scope
        self._certain = certain

    def of(self, node: ast.AST, default_type: bool = True) -> tuple[str | None, Schema, bool | None]:
        """The constant name that is taken from a mapping, its schema, and whether it must be there."""
        outer = self._parents.get(node)
        plain: Schema = {"type": "string"} if default_type else {}
        if isinstance(outer, ast.Subscript) and outer.value is node:
            return self.keys.text(outer.slice), plain, outer in self._certain or None
        if isinstance(outer, ast.Compare) and outer.comparators == [node]:
            return self.keys.text(outer.left), plain, None
        call = self._parents.get(outer) if isinstance(outer, ast.Attribute) else None
        if not (isinstance(outer, ast.Attribute) and isinstance(call, ast.Call) and call.func is outer):
            return None, plain, None
        if outer.attr not in ("get", "getlist", "pop"):
            return None, plain, None
        name = self.keys.text(argument(call, 0, "key"))
        schema = self._typed(argument(call, 2 if outer.attr == "get" else 1, "type"), plain)
        if outer.attr == "getlist":
            return name, {"type": "array", "items": schema}, None
        written = argument(call, 1, "default")
        default = constant(self._program, written, self._scope)
        if not isinstance(default, Missing) and default is not None:
            schema = {**schema, "default": default}
        # Without a default the handler may still refuse the request when the value is missing.
        return name, schema, False if written is not None and default is not None else None

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
