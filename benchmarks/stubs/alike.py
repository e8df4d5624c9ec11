"""Verdicts where stub and code say the same, and only running the code makes it another thing."""

from __future__ import annotations

import ast

from benchmarks.stubs.agreement import Disagreement
from benchmarks.stubs.corpus import Pair
from benchmarks.stubs.records import Kind
from benchmarks.stubs.targets import FunctionNode, flat
from benchmarks.stubs.texts import body_around


def is_assigned_alike(pair: Pair, each: Disagreement) -> bool:
    """Whether stub and code give a name, or the class that a member belongs to, one and the same expression."""
    if each.report.kind in (Kind.TYPE, Kind.KIND, Kind.OTHER):
        return _is_one_expression(pair, each.report.symbol)
    return each.report.kind is Kind.PARAMETERS and _is_one_expression(
        pair, each.report.symbol.rpartition(".")[0]
    )


def _is_one_expression(pair: Pair, symbol: str) -> bool:
    name = symbol.rpartition(".")[2]
    values = [
        [
            ast.unparse(node.value)
            for node in flat(body_around(pair, symbol, stub=stub) or [])
            if isinstance(node, ast.Assign)
            and not isinstance(node.value, ast.Constant)
            and name in map(ast.unparse, node.targets)
        ]
        for stub in (True, False)
    ]
    return len(values[0]) == 1 and values[0] == values[1]


def is_written_for_checkers(pair: Pair, each: Disagreement) -> bool:
    """Whether the code itself has a function of that name under `TYPE_CHECKING`, and something else when it runs."""
    name = each.report.symbol.rpartition(".")[2]
    told = [
        node
        for node in flat(body_around(pair, each.report.symbol) or [])
        if isinstance(node, ast.If) and ast.unparse(node.test).rpartition(".")[2] == "TYPE_CHECKING"
    ]
    defined = {inner.name for node in told for inner in node.body if isinstance(inner, FunctionNode)}
    return each.report.kind in (Kind.KIND, Kind.DEFAULT, Kind.PARAMETERS) and name in defined
