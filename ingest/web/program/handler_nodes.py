"""The nodes of a handler's body: what is within what, and what merely asks about a value."""

from __future__ import annotations

import ast
from typing import Final

from graph.schema_algebra import Schema, unknown
from ingest.web.program.program import Program
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.walks import children_of

_FLAGS = frozenset({"true", "false", "1", "0", "yes", "no", "on", "off", "t", "f", "y", "n"})
FLAG: Final = unknown("a text that stands for true or false")
"""The schema of a text of the query that code takes for a yes or no: a contract may call it either."""
ASKED: Final = unknown("only whether it is there is asked")
"""The schema of a value of which a use tells no more than that it may be there: `"all" in request.args`."""
_PLAINER = frozenset({"lower", "upper", "strip", "casefold"})


def is_flag(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a text is only held against words for true and false: `args.get("all", "no").lower() in ("1", "yes")`."""
    node, outer = _plainer(node, parents)
    if isinstance(outer, ast.BoolOp):
        node, outer = _plainer(outer, parents)
    if isinstance(outer, ast.Assign) and len(outer.targets) == 1 and isinstance(outer.targets[0], ast.Name):
        name = outer.targets[0].id
        uses = [
            n for n in parents if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)
        ]
        return bool(uses) and all(_is_held(*_plainer(use, parents)) for use in uses)
    return _is_held(node, outer)


def taken_text(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> Schema | None:
    """What a use of a mapping of texts tells of a value, where that is something else than that it is a text."""
    taken = value_of(node, parents)
    if taken is not None:
        return FLAG if is_flag(taken, parents) else None
    return ASKED if isinstance(parents.get(node), ast.Compare) else None


def is_yes_or_no(words: object) -> bool:
    """Whether these are the texts that code takes for yes and no, both of them: `("true", "false")`."""
    if not isinstance(words, list) or len(words) < 2:
        return False
    return all(isinstance(each, str) and each.lower() in _FLAGS for each in words)


def _plainer(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> tuple[ast.AST, ast.AST | None]:
    outer = parents.get(node)
    while (isinstance(outer, ast.Attribute) and outer.attr in _PLAINER) or (
        isinstance(outer, ast.Call) and outer.func is node and not outer.args
    ):
        node, outer = outer, parents.get(outer)
    return node, outer


def _is_held(node: ast.AST, outer: ast.AST | None) -> bool:
    if not isinstance(outer, ast.Compare) or outer.left is not node or len(outer.ops) != 1:
        return False
    other = outer.comparators[0]
    words = other.elts if isinstance(other, ast.Tuple | ast.List | ast.Set) else [other]
    return bool(words) and all(
        isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value.lower() in _FLAGS
        for each in words
    )


def is_question(outer: ast.AST | None, node: ast.Name) -> bool:
    """`"title" in data`, `data is None` and `isinstance(data, dict)` take nothing from the body."""
    if isinstance(outer, ast.Call):
        return isinstance(outer.func, ast.Name) and outer.func.id in ("isinstance", "len", "type", "bool")
    return isinstance(outer, ast.Compare) and (
        outer.comparators == [node] or all(isinstance(c, ast.Constant) for c in outer.comparators)
    )


def parents_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[ast.AST, ast.AST]:
    """Each node of a function's body with the one that it is in, without those of nested functions and classes."""
    found: dict[ast.AST, ast.AST] = {}
    stack: list[ast.AST] = list(function.body)
    while stack:
        parent = stack.pop()
        for child in children_of(parent):
            found[child] = parent
            if not isinstance(child, Function | ast.ClassDef):
                stack.append(child)
    return found


def parents_within(program: Program, node: ast.AST) -> dict[ast.AST, ast.AST]:
    """See `parents_of`: those of one function of a program, worked out once; none of anything else."""
    return program.remember(("parents", node), lambda: parents_of(node)) if isinstance(node, Function) else {}


def value_of(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> ast.AST | None:
    """The expression that takes one value from a mapping: `args["all"]` or `args.get("all")` for `args`."""
    outer = parents.get(node)
    if isinstance(outer, ast.Subscript) and outer.value is node:
        return outer
    call = parents.get(outer) if isinstance(outer, ast.Attribute) else None
    return call if isinstance(call, ast.Call) else None
