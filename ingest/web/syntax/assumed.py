"""Conditions whose outcome is taken for granted: type checkers are not there, and versions are those of today."""

from __future__ import annotations

import ast


def is_checking(test: ast.expr) -> bool:
    """Whether a condition holds for type checkers alone: what it guards stands only in for what a run binds."""
    match test:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name == "TYPE_CHECKING"
    return False


def is_of_today(test: ast.expr) -> bool:
    """Whether a condition asks for the second major version of Pydantic, or for a newer Python: what stands behind
    `else` is for older ones."""
    match test:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.endswith("PYDANTIC_V2")
        case ast.Compare(ops=[ast.GtE() | ast.Gt()]):
            return _is_of_python(test.left)
    return False


def is_of_before(test: ast.expr) -> bool:
    """Whether a condition asks for an older Python: `sys.version_info < (3, 11)`."""
    return isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Lt) and _is_of_python(test.left)


def _is_of_python(node: ast.expr) -> bool:
    version = node.value if isinstance(node, ast.Subscript) else node
    return isinstance(version, ast.Attribute) and version.attr == "version_info"
