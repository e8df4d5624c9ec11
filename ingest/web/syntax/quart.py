"""Quart is Flask's interface with coroutines: its modules are read as the same code on Flask."""

from __future__ import annotations

import ast
import re

_IMPORTED = re.compile(r"^[ \t]*(?:from|import)[ \t]+quart\b", re.MULTILINE)
_SAME = {"Quart": "Flask"}


def as_flask(tree: ast.Module, text: str) -> ast.Module:
    """The tree of a module that imports Quart as it would be on Flask: other names, and nothing is waited for."""
    if not _IMPORTED.search(text):
        return tree
    plain: ast.Module = _Plain().visit(tree)
    return plain


class _Plain(ast.NodeTransformer):
    def visit_Await(self, node: ast.Await) -> ast.expr:
        self.generic_visit(node)
        return node.value

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        if node.module is not None and not node.level and _is_quart(node.module):
            node.module = _renamed(node.module)
            for each in node.names:
                if each.name in _SAME:
                    each.name, each.asname = _SAME[each.name], each.asname or each.name
        return node

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for each in node.names:
            if _is_quart(each.name):
                each.name, each.asname = _renamed(each.name), each.asname or _bound(each.name)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "quart":
            node.attr = _SAME.get(node.attr, node.attr)
        return node


def _is_quart(module: str) -> bool:
    return module == "quart" or module.startswith("quart.")


def _renamed(module: str) -> str:
    return f"flask{module.removeprefix('quart')}"


def _bound(module: str) -> str | None:
    """The name that `import quart` binds; a submodule's own name is never used without its package."""
    return module if module == "quart" else None
