"""What the mutations of a stub's functions look at: which parameters callers pass, and another value of a default."""

from __future__ import annotations

import ast
import copy

from benchmarks.stubs.targets import FunctionNode, Target


def simple(target: Target) -> tuple[FunctionNode, FunctionNode] | None:
    """Both functions where neither takes starred parameters and both have the same names in the same order."""
    both = target.function
    if both is None:
        return None
    stub, code = (node.args for node in both)
    if stub.vararg or stub.kwarg or code.vararg or code.kwarg:
        return None
    names = [[each.arg for each in (*a.posonlyargs, *a.args, *a.kwonlyargs)] for a in (stub, code)]
    return (copy.deepcopy(both[0]), both[1]) if names[0] == names[1] else None


def _first(target: Target, node: FunctionNode) -> int:
    """The index of the first positional parameter that callers pass."""
    static = any(ast.unparse(each) == "staticmethod" for each in node.decorator_list)
    return 1 if target.owner is not None and not static else 0


def own_parameters(target: Target, node: FunctionNode) -> list[int]:
    """The indices of the positional-or-keyword parameters that callers pass and that have ordinary names."""
    first = max(0, _first(target, node) - len(node.args.posonlyargs))
    return [i for i in range(first, len(node.args.args)) if not node.args.args[i].arg.startswith("_")]


def is_special(node: FunctionNode) -> bool:
    """Whether a function is a special one, and no constructor."""
    return node.name.startswith("__") and node.name != "__init__"


def other_value(default: ast.expr) -> ast.expr | None:
    """Another value of the same type as a literal's."""
    match default:
        case ast.Constant(value=bool() as value):
            return ast.Constant(not value)
        case ast.Constant(value=int() as value):
            return ast.Constant(value + 7)
        case ast.Constant(value=str() as value):
            return ast.Constant(f"{value}other")
        case ast.Constant(value=None):
            return ast.Constant(7)
        case _:
            return None
