"""What a handler takes from a mapping of the request that it is given: name, form, and whether it must be there."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set

from graph.schema_algebra import Schema
from ingest.web.async_values import with_default
from ingest.web.calls import argument
from ingest.web.constants import Missing, constant
from ingest.web.loop_keys import Keys
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.targets import External

_CONVERSIONS: dict[str, Schema] = {
    "builtins.int": {"type": "integer"},
    "builtins.float": {"type": "number"},
    "builtins.str": {"type": "string"},
    "uuid.UUID": {"type": "string", "format": "uuid"},
}
_ONE = frozenset({"get", "getone", "pop"})
_MANY = frozenset({"getlist", "getall"})


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

    def of(self, node: ast.AST, plain: Schema) -> tuple[str | None, Schema, bool | None]:
        """The constant name that is taken from a mapping, its schema, and whether it must be there."""
        outer = self._parents.get(node)
        if isinstance(outer, ast.Subscript) and outer.value is node:
            name = self.keys.text(outer.slice)
            return name, self._converted(outer, plain), True if outer in self._certain else None
        if isinstance(outer, ast.Compare) and outer.comparators == [node]:
            return self.keys.text(outer.left), plain, None
        call = self._parents.get(outer) if isinstance(outer, ast.Attribute) else None
        if not (isinstance(outer, ast.Attribute) and isinstance(call, ast.Call) and call.func is outer):
            return None, plain, None
        name = self.keys.text(argument(call, 0, "key"))
        if outer.attr in _MANY:
            return name, {"type": "array", "items": plain}, None
        if outer.attr not in _ONE:
            return None, plain, None
        written = argument(call, 1, "default")
        default = constant(self._program, written, self._scope)
        schema = self._converted(call, plain)
        if not isinstance(default, Missing) and default is not None:
            schema = with_default(schema, default)
        return name, schema, False if written is not None and default is not None else None

    def _converted(self, node: ast.AST, plain: Schema) -> Schema:
        """The schema of a value that is taken here and turned into a number or UUID on the spot."""
        outer = self._parents.get(node)
        if isinstance(outer, ast.Call) and outer.args == [node] and not outer.keywords:
            target = self._program.resolve(outer.func, self._scope)
            if isinstance(target, External) and target.dotted in _CONVERSIONS:
                return dict(_CONVERSIONS[target.dotted])
        return plain
