"""What a handler takes from a mapping of its request: its name and form, and whether it must be there."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set

from graph.schema_algebra import Schema
from ingest.web.constants.constants import Missing, constant
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.syntax.scopes import Scope
from ingest.web.values.loop_keys import Keys


class MappingItems:
    """Reads such uses in one function; `certain` are the expressions that each accepted request passes.

    A framework says which methods give one value and which give many (`_ONE`, `_MANY`), and of what form they are.
    """

    _ONE: frozenset[str]
    _MANY: frozenset[str]

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
            return self.keys.text(outer.slice), self._subscript(outer, plain), outer in self._certain or None
        if isinstance(outer, ast.Compare) and outer.comparators == [node]:
            return self.keys.text(outer.left), plain, None
        call = self._parents.get(outer) if isinstance(outer, ast.Attribute) else None
        if not (isinstance(outer, ast.Attribute) and isinstance(call, ast.Call) and call.func is outer):
            return None, plain, None
        if outer.attr not in self._ONE | self._MANY:
            return None, plain, None
        name = self.keys.text(argument(call, 0, "key"))
        if outer.attr in self._MANY:
            return name, {"type": "array", "items": self._each(call, plain)}, None
        written = argument(call, 1, "default")
        default = constant(self._program, written, self._scope)
        schema = self._one(call, outer.attr, plain)
        if not isinstance(default, Missing) and default is not None:
            schema = self._defaulted(schema, default)
        # Without a default the handler may still refuse the request when the value is missing.
        return name, schema, False if written is not None and default is not None else None

    def _subscript(self, node: ast.Subscript, plain: Schema) -> Schema:
        """The form of what `mapping["name"]` gives."""
        return plain

    def _each(self, call: ast.Call, plain: Schema) -> Schema:
        """The form of each of the values that a call gives."""
        return plain

    def _one(self, call: ast.Call, method: str, plain: Schema) -> Schema:
        """The form of the one value that a call gives."""
        return plain

    def _defaulted(self, schema: Schema, default: object) -> Schema:
        """The schema with a default that is not null."""
        return {**schema, "default": default}


def is_own_entry(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool | None:
    """Whether a function puts an entry of its own into a mapping here, or looks at one that it has put there before;
    None where it may have done so, as with a default for what is missing."""
    outer = parents.get(node)
    if not (isinstance(node, ast.Name) and isinstance(outer, ast.Subscript) and outer.value is node):
        return False
    if isinstance(outer.ctx, ast.Store | ast.Del):
        return not isinstance(parents.get(outer), ast.AugAssign)
    here, key = (outer.lineno, outer.col_offset), ast.dump(outer.slice)
    sometimes = False
    for target in [each for each in parents if isinstance(each, ast.Subscript)]:
        statement = parents.get(target)
        if not (isinstance(statement, ast.Assign) and target in statement.targets):
            continue
        same = isinstance(target.value, ast.Name) and target.value.id == node.id
        after = (statement.end_lineno or 0, statement.end_col_offset or 0) < here
        if same and after and ast.dump(target.slice) == key:
            if _is_always_run(statement, parents):
                return True
            sometimes = True
    return None if sometimes else False


def is_tidied(target: ast.Subscript, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether an entry is put in place of itself: `data["name"] = data["name"].strip()`."""
    statement = parents.get(target)
    if not isinstance(statement, ast.Assign):
        return False
    owner, key = ast.dump(target.value), ast.dump(target.slice)
    taken = (each for each in ast.walk(statement.value) if isinstance(each, ast.Subscript))
    return any(ast.dump(each.slice) == key and ast.dump(each.value) == owner for each in taken)


def _is_always_run(statement: ast.stmt, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether what follows a statement is only reached through it: it stands under no condition."""
    outer = parents.get(statement)
    inner: ast.AST = statement
    while isinstance(outer, ast.Try | ast.With | ast.AsyncWith):
        if isinstance(outer, ast.Try) and inner not in outer.body:
            return False
        inner, outer = outer, parents.get(outer)
    return outer is None or isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef)
