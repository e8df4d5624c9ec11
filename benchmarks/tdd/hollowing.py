"""The stub S1 of a package: its names, signatures and docstrings, and every function raises NotImplementedError."""

from __future__ import annotations

import ast
from collections.abc import Collection

from benchmarks.healing.sources import FunctionNode


def hollow(text: str, kept: Collection[int] = ()) -> str:
    """A module whose functions do nothing but raise, except for those that begin on the lines `kept`.

    Kept are those that run while the package is imported: without them nothing could be imported at all.
    """
    tree = _Hollow(frozenset(kept)).visit(ast.parse(text))
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


class _Hollow(ast.NodeTransformer):
    def __init__(self, kept: frozenset[int]) -> None:
        self._kept = kept

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._emptied(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._emptied(node)

    def _emptied(self, node: FunctionNode) -> FunctionNode:
        # A code object begins at the first decorator.
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        if first not in self._kept:
            documented = ast.get_docstring(node, clean=False) is not None
            raised = ast.Raise(ast.Name("NotImplementedError", ast.Load()))
            node.body = [*(node.body[:1] if documented else []), raised]
        return node
