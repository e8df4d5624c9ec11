"""Verdicts on names that no statement, or one that did not run, binds to what is compared."""

from __future__ import annotations

import ast
import re

from benchmarks.stubs.agreement import Disagreement
from benchmarks.stubs.corpus import Pair
from benchmarks.stubs.records import Kind
from benchmarks.stubs.targets import bound_names
from benchmarks.stubs.texts import body_around, function_named, is_module, module_body

_PARAMETER = re.compile(r'parameter "(\w+)"')


def is_unwritten(pair: Pair, each: Disagreement) -> bool:
    """Whether the module or class that a name is said to belong to is there, and nothing in its text binds the name."""
    body = body_around(pair, each.report.symbol)
    if each.report.kind is not Kind.NOT_IN_STUB or body is None:
        return False
    names = bound_names(body)
    return each.report.symbol.rpartition(".")[2] not in names and "*" not in names


def is_built(pair: Pair, each: Disagreement) -> bool:
    """Whether the outermost name of what a report is about is bound by no statement of the module that has it."""
    names = each.report.symbol.split(".")
    for length in range(len(names) - 1, 0, -1):
        if is_module(pair, ".".join(names[:length])):
            body = module_body(pair, ".".join(names[: length + 1]))
            bound = bound_names(body) if body is not None else frozenset({"*"})
            return (
                "*" not in bound and names[length] not in bound and each.report.kind is not Kind.NOT_IN_CODE
            )
    return False


def is_written(pair: Pair, each: Disagreement) -> bool:
    """Whether what is said to be absent stands in the text: in a block that did not run."""
    body = body_around(pair, each.report.symbol)
    named = body is not None and each.report.symbol.rpartition(".")[2] in bound_names(body)
    return each.report.kind is Kind.NOT_IN_CODE and named


def is_answered(pair: Pair, each: Disagreement) -> bool:
    """Whether the code answers a name that no statement binds, by `__getattr__`."""
    body = body_around(pair, each.report.symbol)
    return each.report.kind is Kind.NOT_IN_CODE and body is not None and "__getattr__" in bound_names(body)


def is_made_by_a_call(pair: Pair, each: Disagreement) -> bool:
    """Whether a report is about a member of what is no class in the text, but what a call gives."""
    owner = each.report.symbol.rpartition(".")[0]
    body, name = body_around(pair, owner), owner.rpartition(".")[2]
    values = [
        node.value
        for node in body or []
        if isinstance(node, ast.Assign) and name in map(ast.unparse, node.targets)
    ]
    return len(values) == 1 and isinstance(values[0], ast.Call)


def is_listed_by_a_call(pair: Pair, each: Disagreement) -> bool:
    """Whether a module of the code offers a name by an `__all__` that a call gives."""
    body = module_body(pair, each.report.symbol)
    values = [
        node.value
        for node in body or []
        if isinstance(node, ast.Assign) and "__all__" in map(ast.unparse, node.targets)
    ]
    return each.report.kind is Kind.NOT_IN_STUB and bool(values) and isinstance(values[-1], ast.Call)


def is_computed_default(pair: Pair, each: Disagreement) -> bool:
    """Whether a report is about a default that is no literal in the text."""
    named = _PARAMETER.search(each.report.message)
    function = function_named(body_around(pair, each.report.symbol), each.report.symbol.rpartition(".")[2])
    if each.report.kind is not Kind.DEFAULT or "default value of" not in each.report.message:
        return False
    if named is None or function is None:
        return False
    listed = [*function.args.posonlyargs, *function.args.args]
    defaults = dict(zip(reversed(listed), reversed(function.args.defaults), strict=False))
    defaults |= {a: d for a, d in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True) if d}
    texts = [default for argument, default in defaults.items() if argument.arg == named[1]]
    try:
        return bool(texts) and ast.literal_eval(texts[0]) is NotImplemented
    except ValueError:
        return True
