"""Verdicts on what a stub says of instances, where stubtest looks at the class."""

from __future__ import annotations

import ast
from functools import cache

from benchmarks.stubs.agreement import Disagreement
from benchmarks.stubs.corpus import Pair
from benchmarks.stubs.records import Kind
from benchmarks.stubs.targets import FunctionNode, bound_names
from benchmarks.stubs.texts import base_names, body_around, function_named, is_module, parsed, with_heirs

_OF_DESCRIPTORS = frozenset({Kind.PROPERTY, Kind.TYPE, Kind.BINDING, Kind.PARAMETERS, Kind.DEFAULT})


def is_given_by_a_descriptor(pair: Pair, each: Disagreement) -> bool:
    """Whether a class of the package with a `__get__` of its own, or one made from `property`, gives the attribute."""
    body, name = body_around(pair, each.report.symbol), each.report.symbol.rpartition(".")[2]
    if each.report.kind not in _OF_DESCRIPTORS or body is None:
        return False
    makers: list[ast.expr] = []
    for node in body:
        if isinstance(node, FunctionNode) and node.name == name:
            makers += node.decorator_list
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            makers += [node.value] if name in map(ast.unparse, targets) else []
    called = (maker.func if isinstance(maker, ast.Call) else maker for maker in makers)
    named = (maker.value if isinstance(maker, ast.Subscript) else maker for maker in called)
    names = {ast.unparse(maker).rpartition(".")[2] for maker in named}
    return "cached_property" in names or not names.isdisjoint(_descriptors(pair))


@cache
def _descriptors(pair: Pair) -> frozenset[str]:
    """The names of the runtime package's classes that decide themselves what reading an attribute gives."""
    found = set()
    bases: dict[str, set[str]] = {}
    for file in pair.runtime.rglob("*.py"):
        for node in ast.walk(ast.Module(parsed(file) or [], [])):
            if isinstance(node, ast.ClassDef):
                bases.setdefault(node.name, set()).update(base_names(node))
                if "__get__" in bound_names(node.body) or "property" in map(ast.unparse, node.bases):
                    found.add(node.name)
    return with_heirs(found, bases)


def is_replaced(pair: Pair, each: Disagreement) -> bool:
    """Whether the class's own methods give every instance another value than the class itself has: `self.x = …`."""
    owner = each.report.symbol.rpartition(".")[0]
    of_class = (
        each.report.kind in (Kind.TYPE, Kind.KIND) and owner.rpartition(".")[2].lstrip("_")[:1].isupper()
    )
    return of_class and _sets(pair, each)


def is_a_property_of_instances(pair: Pair, each: Disagreement) -> bool:
    """Whether the stub has as a method or property what the class's own methods give every instance: `self.x = …`."""
    stub = body_around(pair, each.report.symbol, stub=True)
    promised = function_named(stub, each.report.symbol.rpartition(".")[2])
    return promised is not None and each.report.kind is Kind.NOT_IN_CODE and _sets(pair, each)


def is_set_under_a_computed_name(pair: Pair, each: Disagreement) -> bool:
    """Whether methods of the class set attributes of the instance by names that are worked out."""
    owner = each.report.symbol.rpartition(".")[0]
    body = body_around(pair, each.report.symbol) if not is_module(pair, owner) else None
    return each.report.kind is Kind.NOT_IN_CODE and any(
        isinstance(node, ast.Call)
        and ast.unparse(node.func) == "setattr"
        and len(node.args) == 3
        and ast.unparse(node.args[0]) == function.args.args[0].arg
        and not isinstance(node.args[1], ast.Constant)
        for function in body or []
        if isinstance(function, FunctionNode) and function.args.args
        for node in ast.walk(function)
    )


def _sets(pair: Pair, each: Disagreement) -> bool:
    """Whether a method of the class sets the attribute of an instance."""
    name = each.report.symbol.rpartition(".")[2]
    body = body_around(pair, each.report.symbol) or []
    for function in (node for node in body if isinstance(node, FunctionNode) and node.args.args):
        receiver = function.args.args[0].arg
        for node in ast.walk(function):
            stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
            if stored and ast.unparse(node) == f"{receiver}.{name}":
                return True
    return False
