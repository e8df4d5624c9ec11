"""What statements and calls say of exceptions by their form alone, without what they are called with."""

from __future__ import annotations

import ast

from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.naming import last_name


def lets_go(node: ast.stmt, name: str | None) -> bool:
    """Whether a statement raises again what its handler caught under this name."""
    if not isinstance(node, ast.Raise):
        return False
    return node.exc is None or (isinstance(node.exc, ast.Name) and node.exc.id == name)


def leaves(node: ast.If) -> bool:
    """Whether a branch always ends what it stands in, and there is no other."""
    return not node.orelse and isinstance(node.body[-1], ast.Return | ast.Raise | ast.Continue)


def is_abstract(target: FunctionTarget) -> bool:
    """Whether this is only declared, to be written by classes below."""
    if isinstance(target.node, ast.Lambda):
        return False
    for decorator in target.node.decorator_list:
        name = last_name(decorator)
        if name in ("abstractmethod", "overload"):
            return True
    return False


def is_taken_by_key(call: ast.Call) -> bool:
    """Whether something is taken of a mapping by a key that stands in the source: `data.get("level", "basic")`."""
    first = call.args[0] if call.args else None
    named = isinstance(first, ast.Constant) and isinstance(first.value, str)
    return named and isinstance(call.func, ast.Attribute) and call.func.attr == "get" and len(call.args) <= 2
