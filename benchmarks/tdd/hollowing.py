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
            # What gives one thing after another and is waited for is another kind of thing without its `yield`.
            flow = isinstance(node, ast.AsyncFunctionDef) and any(map(_yields, node.body))
            kept = [ast.Expr(ast.Yield())] if flow else []
            node.body = [*(node.body[:1] if documented else []), raised, *kept]
        return node


def _yields(node: ast.AST) -> bool:
    """Whether a statement yields, and not only a function within it."""
    if isinstance(node, ast.Yield):
        return True
    return not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and any(
        map(_yields, ast.iter_child_nodes(node))
    )
