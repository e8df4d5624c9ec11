"""Methods by which a serializer has its say in how fields are made of columns, though contracts show nothing of it."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.bindings import Function

_SILENT: Final = frozenset(
    {"default_timezone", "error_messages", "help_text", "label", "style", "trim_whitespace"}
)
"""Keywords of fields that change nothing of what is taken and given."""


def adds_nothing(method: FunctionTarget) -> bool:
    """Whether a method such as `build_standard_field` only gives what its base gives, with silent keywords added."""
    node = method.node
    if not isinstance(node, Function) or not node.name.startswith("build_"):
        return False
    match [each for each in node.body if not _is_text(each)]:
        case [
            ast.Assign(
                targets=[ast.Tuple(elts=[ast.Name(id=kind), ast.Name(id=options)])],
                value=ast.Call(func=ast.Attribute(attr=name, value=ast.Call(func=ast.Name(id="super")))),
            ),
            *between,
            ast.Return(value=ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=second)])),
        ]:
            if (kind, options) != (first, second) or name != node.name:
                return False
            return all(_is_silent(part, kind, options) for each in between for part in ast.walk(each))
    return False


def _is_silent(part: ast.AST, kind: str, options: str) -> bool:
    """Whether a part of a statement leaves both the class and the telling keywords of a field alone."""
    match part:
        case ast.Return():
            return False
        case ast.Name(id=name, ctx=ast.Store()):
            return name not in (kind, options)
        case ast.Subscript(value=ast.Name(id=name), slice=key, ctx=ast.Store() | ast.Del()) if (
            name == options
        ):
            return isinstance(key, ast.Constant) and key.value in _SILENT
        case ast.Call(func=ast.Attribute(attr=method, value=ast.Name(id=name)), args=args) if name == options:
            named = args[0].value if args and isinstance(args[0], ast.Constant) else None
            return method in ("get", "keys") or (method in ("setdefault", "pop") and named in _SILENT)
        case ast.Call(args=args):
            return not any(isinstance(each, ast.Name) and each.id == options for each in args)
    return True


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
