"""Verdicts on what the authors of stubs say on purpose otherwise than the text of the code has it."""

from __future__ import annotations

import ast
import collections.abc
from inspect import Parameter, signature

from benchmarks.stubs.agreement import Disagreement
from benchmarks.stubs.corpus import Pair
from benchmarks.stubs.records import Kind
from benchmarks.stubs.targets import bound_names
from benchmarks.stubs.texts import body_around, function_named, module_body, owning_class

_THROUGH_ITEMS = frozenset({"__iter__", "__contains__", "__reversed__"})


def is_given_by_items(pair: Pair, each: Disagreement) -> bool:
    """Whether a class that has `__getitem__` is said to be iterable, as it is without a method for that."""
    name = each.report.symbol.rpartition(".")[2]
    body = body_around(pair, each.report.symbol) if name in _THROUGH_ITEMS else None
    return each.report.kind is Kind.NOT_IN_CODE and function_named(body, "__getitem__") is not None


def is_for_another_platform(pair: Pair, each: Disagreement) -> bool:
    """Whether the stub has the name, or the class around it, under a condition on the platform."""
    outermost = [
        part
        for node in module_body(pair, each.report.symbol, stub=True) or []
        if isinstance(node, ast.If) and "sys.platform" in ast.unparse(node.test)
        for part in (*node.body, *node.orelse)
    ]
    return each.report.kind is Kind.NOT_IN_STUB and not set(each.report.symbol.split(".")).isdisjoint(
        bound_names(outermost)
    )


def is_of_a_final_ancestor(pair: Pair, each: Disagreement) -> bool:
    """Whether it is an ancestor that the code calls final: stubtest finds the mark in all that derive from it."""
    class_ = owning_class(pair, f"{each.report.symbol}.?", stub=False)
    if class_ is None or "`__final__` attribute" not in each.report.message:
        return False
    return not any(ast.unparse(each).endswith("final") for each in class_.decorator_list)


def is_as_the_standard_library_writes_it(pair: Pair, each: Disagreement) -> bool:
    """Whether the stub inherits a method from an abstract class of the standard library, and the code writes it as that
    library itself does, of which type checkers know something else."""
    symbol, name = each.report.symbol, each.report.symbol.rpartition(".")[2]
    written = function_named(body_around(pair, symbol), name)
    if written is None or each.report.kind not in (Kind.PARAMETERS, Kind.DEFAULT):
        return False
    if function_named(body_around(pair, symbol, stub=True), name) is not None:
        return False
    arguments = written.args
    plain = not (arguments.posonlyargs or arguments.vararg or arguments.kwonlyargs or arguments.kwarg)
    ours = [each.arg for each in arguments.args], len(arguments.defaults)
    methods = (vars(getattr(collections.abc, each)).get(name) for each in collections.abc.__all__)
    return plain and any(ours == _named(method) for method in methods if callable(method))


def _named(method: object) -> tuple[list[str], int] | None:
    """The names of what a method takes, and how many of them may be left out."""
    assert callable(method)
    try:
        taken = signature(method).parameters.values()
    except (TypeError, ValueError):
        return None
    return [each.name for each in taken], sum(each.default is not Parameter.empty for each in taken)
