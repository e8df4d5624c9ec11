"""Finds the functions of a file whose tests failed, and the statements at which they did."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from healer.editing.functions import named_functions
from healer.healers.plan import Plan
from healer.reading.meanings import Meanings


def failing(file: Meanings, plan: Plan) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The test functions of a file that are among the failures, in the order of the text."""
    wanted = set()
    for analysis in plan.analyses:
        path, _, name = analysis.node.partition("::")
        if path == file.source.path and name:
            wanted.add(name.partition("[")[0].replace("::", "."))
    return [node for name, node in named_functions(file.source.tree) if name in wanted]


def failed(file: Meanings, plan: Plan) -> Iterator[ast.stmt]:
    """The smallest statements at which tests of a file failed, in the functions that failed."""
    lines = {each.line for each in plan.analyses if each.file == file.source.path and each.line}
    lines |= {
        each.root.line
        for each in plan.analyses
        if each.root is not None and each.root.path == file.source.path
    }
    seen = set()
    for function in failing(file, plan):
        for line in sorted(lines):
            around = [
                node
                for node in ast.walk(function)
                if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
            ]
            if around and around[-1] is not function and around[-1] not in seen:
                seen.add(around[-1])
                yield around[-1]
