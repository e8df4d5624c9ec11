"""What is nothing but `None`, as an expression or as what a name stands for."""

from __future__ import annotations

import ast

from ingest.web.program.targets import Target, ValueTarget


def is_none(node: ast.AST | None) -> bool:
    """Whether an expression is `None` as it is written."""
    return isinstance(node, ast.Constant) and node.value is None


def stands_for_none(target: Target | None) -> bool:
    """Whether what a name or an option was resolved to is `None`."""
    return isinstance(target, ValueTarget) and is_none(target.node)
