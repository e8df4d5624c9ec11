"""Finds the functions of a file whose tests failed, and the statements at which they did."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from healer.editing.functions import named_functions
from healer.healers.plan import Plan
from healer.reading.meanings import Meanings


def failing(file: Meanings, plan: Plan) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The test functions of a file that are among the failures, in the order of the text.

    A test that a class inherits is the function of the class in the file that has it.
    """
    functions = list(named_functions(file.source.tree))
    known = {name for name, _ in functions}
    wanted = set()
    for analysis in plan.analyses:
        path, _, name = analysis.node.partition("::")
        if path == file.source.path and name:
            wanted.add(_defined(file.source.tree, name.partition("[")[0].replace("::", "."), known))
    return [node for name, node in functions if name in wanted]


def _defined(tree: ast.Module, name: str, known: set[str]) -> str:
    """The dotted name under which a file defines what a class of it has, itself or by a base; else as it is."""
    holder, _, last = name.rpartition(".")
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    waiting, seen = [holder], set()
    while waiting:
        current = waiting.pop(0)
        if f"{current}.{last}" in known:
            return f"{current}.{last}"
        seen.add(current)
        bases = classes[current].bases if current in classes else []
        waiting += [each.id for each in bases if isinstance(each, ast.Name) and each.id not in seen]
    return name


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
