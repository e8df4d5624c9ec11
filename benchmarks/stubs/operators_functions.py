"""Mutations of how a stub's functions are reached and awaited."""

from __future__ import annotations

import ast
import copy
from random import Random

from benchmarks.stubs.operands import is_special
from benchmarks.stubs.targets import FunctionNode, Target

_CERTAIN = frozenset({"int", "str", "bool", "bytes", "float", "None", "list", "dict", "set", "tuple"})


def change_binding(target: Target, random: Random) -> ast.stmt | None:
    """Take away, or add, what makes a method static, a class method or a property."""
    both = target.function
    if both is None or target.owner is None or is_special(both[0]) or _is_abstract(both[0]):
        return None
    stub = copy.deepcopy(both[0])
    if stub.decorator_list:
        stub.decorator_list = []
        if not stub.args.args and not stub.args.posonlyargs:
            stub.args.args.append(ast.arg("self"))
    elif isinstance(stub, ast.FunctionDef) and not both[1].decorator_list:
        stub.decorator_list = [ast.Name(random.choice(["classmethod", "staticmethod"]))]
    else:
        return None
    return stub


def flip_async(target: Target, random: Random) -> ast.stmt | None:
    """Make an ordinary function a coroutine function, or the other way round."""
    both = target.function
    if both is None or both[0].decorator_list or both[1].decorator_list or both[0].name == "__init__":
        return None
    stub = copy.deepcopy(both[0])
    if isinstance(both[0], ast.AsyncFunctionDef) != isinstance(both[1], ast.AsyncFunctionDef):
        return None
    if isinstance(both[1], ast.AsyncFunctionDef):
        if _is_stream(both[1]) or not _is_surely(stub.returns):
            return None
        return ast.FunctionDef(**dict(ast.iter_fields(stub)))
    if not (_yields(both[1]) or _is_surely(both[1].returns)):
        return None
    return ast.AsyncFunctionDef(**dict(ast.iter_fields(stub)))


def _is_surely(annotation: ast.expr | None) -> bool:
    """Whether an annotation names a builtin type, so that what is returned is not awaitable."""
    if annotation is None:
        return False
    head = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return ast.unparse(head) in _CERTAIN


def _yields(node: FunctionNode) -> bool:
    """Whether the function itself yields, and not one that it defines."""
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(each, FunctionNode | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(each)
    return False


def _is_stream(node: FunctionNode) -> bool:
    return isinstance(node, ast.AsyncFunctionDef) and _yields(node)


def _is_abstract(node: FunctionNode) -> bool:
    return any("abstract" in ast.unparse(each) for each in node.decorator_list)
