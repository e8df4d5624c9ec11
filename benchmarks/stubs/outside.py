"""What the text cannot tell because it comes from outside the package: bases, decorators, what calls give."""

from __future__ import annotations

import ast

from benchmarks.stubs.agreement import Disagreement
from benchmarks.stubs.corpus import Pair
from benchmarks.stubs.records import Kind
from benchmarks.stubs.targets import FunctionNode, bound_names, flat
from benchmarks.stubs.texts import body_around, is_outside, owning_class

_READ = frozenset({"staticmethod", "classmethod", "property", "partial", "partialmethod", "namedtuple"})


def is_given_by_a_call(pair: Pair, each: Disagreement) -> bool:
    """Whether only running shows how something is called: a call gives it, or a decorator from outside replaces it."""
    if each.report.kind not in (Kind.PARAMETERS, Kind.DEFAULT, Kind.KIND):
        return False
    body, name = body_around(pair, each.report.symbol), each.report.symbol.rpartition(".")[2]
    found = [node for node in flat(body or []) if name in _bound(node)]
    return bool(found) and all(_shows_nothing(pair, each.report.symbol, node) for node in found)


def _shows_nothing(pair: Pair, symbol: str, node: ast.stmt) -> bool:
    match node:
        case ast.Assign(value=ast.Call(func=func)):
            return ast.unparse(func).rpartition(".")[2] not in _READ
        case ast.FunctionDef(decorator_list=decorators) | ast.AsyncFunctionDef(decorator_list=decorators):
            called = [each.func if isinstance(each, ast.Call) else each for each in decorators]
            return any(is_outside(pair, symbol, func) for func in called)
        case _:
            return False


def is_inherited_from_outside(pair: Pair, each: Disagreement) -> bool:
    """Whether a class of stub or code lacks the name, and may have it from a base that is neither here nor standard."""
    name = each.report.symbol.rpartition(".")[2]
    if each.report.kind is Kind.METACLASS:
        return _derives_from_outside(pair, f"{each.report.symbol}.?", frozenset())
    for stub in (True, False):
        class_ = owning_class(pair, each.report.symbol, stub=stub)
        if class_ is None or name in bound_names(class_.body):
            continue
        if any(is_outside(pair, each.report.symbol, base, stub=stub) for base in class_.bases):
            return True
    return False


def _derives_from_outside(pair: Pair, symbol: str, seen: frozenset[str]) -> bool:
    """Whether the code's class, or one of the same module that it derives from, has a base from outside."""
    class_ = owning_class(pair, symbol, stub=False)
    if class_ is None or class_.name in seen:
        return False
    if any(is_outside(pair, symbol, base) for base in class_.bases):
        return True
    module = symbol.rsplit(".", 2)[0]
    inner = [ast.unparse(base) for base in class_.bases]
    return any(_derives_from_outside(pair, f"{module}.{base}.?", seen | {class_.name}) for base in inner)


def _bound(node: ast.stmt) -> list[str]:
    if isinstance(node, FunctionNode | ast.ClassDef):
        return [node.name]
    return [ast.unparse(target) for target in node.targets] if isinstance(node, ast.Assign) else []
