"""What type checkers are told of a value: `cast(Order, value)` is the value itself."""

from __future__ import annotations

import ast
import re

_IMPORTED = re.compile(
    r"^\s*from typing(?:_extensions)? import [^#\n]*\bcast\b|\btyping\.cast\(", re.MULTILINE
)
_LISTED = re.compile(r"^\s*from typing(?:_extensions)? import \([^)]*\bcast\b", re.MULTILINE)


def without_casts(tree: ast.Module, text: str) -> ast.Module:
    """The tree of a module's text in which casts are the values that they are given."""
    if "cast(" not in text or not (_IMPORTED.search(text) or _LISTED.search(text)):
        return tree
    plain: ast.Module = _Plain().visit(tree)
    return plain


class _Plain(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(
                func=ast.Name(id="cast") | ast.Attribute(value=ast.Name(id="typing"), attr="cast"),
                args=[_, value],
                keywords=[],
            ):
                return value
        return node
