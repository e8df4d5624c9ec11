"""The JSON types that a test of a value's class lets pass: `isinstance(x, (int, float))`, `type(x) is str`."""

from __future__ import annotations

import ast

from ingest.web.constants.table_rules import looked_up
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import External, ValueTarget
from ingest.web.syntax.scopes import Scope

_DEPTH = 6
_TYPES = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
}
_NULL = "null"


def checked_type(program: Program, node: ast.expr, scope: Scope) -> tuple[str, bool]:
    """The JSON type that values of a class have, empty where it is not one; and whether null passes too."""
    kinds = _kinds(program, node, scope, 0)
    if kinds is None:
        return "", False
    null = _NULL in kinds
    kinds -= {_NULL}
    if kinds == {"integer", "number"}:
        kinds = {"number"}
    return (kinds.pop() if len(kinds) == 1 else ""), null


def compared_type(node: ast.expr, kind: type[ast.cmpop]) -> ast.expr | None:
    """The value whose class is compared, where an expression is `type(value)`."""
    if kind not in (ast.Is, ast.Eq, ast.In) or not isinstance(node, ast.Call) or len(node.args) != 1:
        return None
    return node.args[0] if isinstance(node.func, ast.Name) and node.func.id == "type" else None


def _kinds(program: Program, node: ast.expr, scope: Scope, depth: int) -> set[str] | None:
    if depth > _DEPTH:
        return None
    if isinstance(node, ast.Tuple | ast.List):
        return _joined([_kinds(program, each, scope, depth + 1) for each in node.elts])
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _joined([_kinds(program, each, scope, depth + 1) for each in (node.left, node.right)])
    if is_none(node) or _is_class_of_null(node):
        return {_NULL}
    if (held := looked_up(program, node, scope)) is not None:
        return _kinds(program, *held, depth + 1)
    target = program.resolve(node, scope)
    if isinstance(target, ValueTarget) and target.node is not None and target.node is not node:
        return _kinds(program, target.node, target.scope, depth + 1)
    if isinstance(target, External) and target.dotted == "types.NoneType":
        return {_NULL}
    known = isinstance(target, External) and target.root == "builtins" and target.name in _TYPES
    return {_TYPES[target.name]} if known and isinstance(target, External) else None


def _is_class_of_null(node: ast.expr) -> bool:
    return ast.unparse(node) == "type(None)" if isinstance(node, ast.Call) else False


def _joined(found: list[set[str] | None]) -> set[str] | None:
    return None if None in found else {kind for kinds in found for kind in kinds or ()}
