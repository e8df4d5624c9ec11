"""Paths that begin with what cannot be known: what is told of them, and what stands for the rest."""

from __future__ import annotations

import ast
import re

from ingest.web.constants.constants import setting_of
from ingest.web.program.program import Program
from ingest.web.program.targets import ValueTarget
from ingest.web.syntax.scopes import Scope

_ODD = re.compile(r"[^\w.:]+")
_LONGEST = 60
_DEPTH = 8


def beginning(program: Program, node: ast.expr | None, scope: Scope, depth: int = 0) -> tuple[str, str]:
    """What of a path is not known, written as `?settings.prefix?`, and the text behind it; the first is empty where
    all is known. What stands before the last unknown part belongs to it."""
    known = setting_of(program, node, scope)
    if known is not None or node is None:
        return "", known or ""
    if isinstance(node, ast.JoinedStr):
        return _joined([beginning(program, part, scope, depth + 1) for part in _parts(node)])
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _joined([beginning(program, part, scope, depth + 1) for part in (node.left, node.right)])
    if isinstance(node, ast.Name) and depth < _DEPTH:
        target = program.resolve(node, scope)
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.JoinedStr | ast.BinOp):
            return beginning(program, target.node, target.scope, depth + 1)
    return unplaced(ast.unparse(node)), ""


def unplaced(text: str) -> str:
    """What stands for a part of a path that is not known; it is no segment of any path."""
    return "?" + _ODD.sub(".", text)[:_LONGEST] + "?"


def _parts(node: ast.JoinedStr) -> list[ast.expr]:
    return [part.value if isinstance(part, ast.FormattedValue) else part for part in node.values]


def _joined(parts: list[tuple[str, str]]) -> tuple[str, str]:
    hidden, told = "", ""
    for unknown, text in parts:
        if unknown:
            hidden, told = hidden + told + unknown, text
        else:
            told += text
    return hidden, told
