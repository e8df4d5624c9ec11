"""Whether a function that `wraps` makes look like another one hands on what it is called with, and nothing else."""

from __future__ import annotations

import ast
import re

from graph.facts import Kind
from graph.indents import dedented
from graph.patterns import pattern
from ingest.python.module import Module
from ingest.python.scopes import Scope

_WRAPS = pattern(r"(?:functools\.)?wraps\(\s*([A-Za-z_]\w*)\s*[,)]")


def hands_on_others(module: Module, scope: Scope) -> bool:
    """Whether each call of the function that this one looks like has arguments which this one's callers do not give.

    So it is called otherwise than the function whose signature it shows.
    """
    if scope.parent is None or scope.parent.kind is not Kind.FUNCTION:
        return False
    match = next(filter(None, map(_WRAPS.match, scope.decorators)), None)
    if match is None:
        return False
    data = module.source.data
    start = module.source.line_start(module.source.line(scope.start))
    if not re.search(rb"\b%s\(" % match[1].encode(), data[scope.body : scope.end]):
        return False
    try:
        tree = ast.parse(dedented(data[start : scope.end].decode("utf-8", "replace"))).body
    except (SyntaxError, ValueError, RecursionError):
        return False
    names = {parameter[0] for parameter in scope.signature}
    calls = [
        node
        for statement in tree
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == match[1]
    ]
    return bool(calls) and all(_is_other(call, names) for call in calls)


def _is_other(call: ast.Call, names: set[str]) -> bool:
    """Whether an argument of a call comes from none of the caller's, or beside them."""
    plain = {each.id for each in call.args if isinstance(each, ast.Name)}
    for argument in call.args:
        if isinstance(argument, ast.Starred) and isinstance(argument.value, ast.BinOp):
            return True
        # `f(self, self.session)`: what the one has stands beside it.
        added = isinstance(argument, ast.Attribute) and _mentions(argument, plain)
        if added or not _mentions(argument, names):
            return True
    return any(word.arg is not None and not _mentions(word.value, names) for word in call.keywords)


def _mentions(node: ast.expr, names: set[str]) -> bool:
    return any(isinstance(each, ast.Name) and each.id in names for each in ast.walk(node))
