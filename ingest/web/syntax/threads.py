"""Calls that only let another thread or task make a call, written as that call, as everything else reads them."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Final

_NAMES: Final = re.compile(r"\b(?:run_in_executor|to_thread|run_in_threadpool|run_sync|wait_for|shield)\b")
_FIRST: Final = frozenset({"to_thread", "run_in_threadpool"})
_WAITING: Final = frozenset({"wait_for", "shield"})


def call_directly(statements: Sequence[ast.stmt], text: str) -> None:
    """Puts `f(a)` for `asyncio.to_thread(f, a)`, `loop.run_in_executor(None, f, a)` and their like."""
    if _NAMES.search(text):
        for statement in statements:
            _Direct().visit(statement)


class _Direct(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        return _within(node) or node


def _within(node: ast.Call) -> ast.expr | None:
    """The call that another call only hands on; None where it is any other call."""
    args = node.args
    if any(isinstance(each, ast.Starred) for each in args[:2]):
        return None
    match node.func:
        case ast.Attribute(attr="run_in_executor") if len(args) > 1:
            return _made(node, args[1], args[2:], [])
        case ast.Attribute(value=owner, attr="run_sync") if args and ast.unparse(owner).endswith("to_thread"):
            return _made(node, args[0], args[1:], [])
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in _FIRST and args:
            return _made(node, args[0], args[1:], node.keywords)
        case ast.Attribute(value=ast.Name(id="asyncio"), attr=name) if name in _WAITING and args:
            return args[0] if isinstance(args[0], ast.Call) else None
    return None


def _made(
    node: ast.Call, called: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]
) -> ast.expr | None:
    if isinstance(called, ast.Lambda):
        plain = not (called.args.args or called.args.kwonlyargs or called.args.posonlyargs or args)
        return called.body if plain else None
    if (
        isinstance(called, ast.Call)
        and ast.unparse(called.func) in ("partial", "functools.partial")
        and called.args
    ):
        args, keywords = [*called.args[1:], *args], [*called.keywords, *keywords]
        called = called.args[0]
    if not isinstance(called, ast.Name | ast.Attribute):
        return None
    return ast.copy_location(ast.Call(called, args, keywords), node)
