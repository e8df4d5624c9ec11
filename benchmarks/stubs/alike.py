"""Verdicts where stub and code say the same, and only running the code makes it another thing."""

from __future__ import annotations

import ast
import re

from benchmarks.stubs.agreement import Disagreement
from benchmarks.stubs.corpus import Pair
from benchmarks.stubs.records import Kind
from benchmarks.stubs.targets import FunctionNode, flat
from benchmarks.stubs.texts import body_around, function_named, is_module, owning_class

_KEEPING = frozenset({"staticmethod", "classmethod", "property", "abstractmethod", "abc.abstractmethod"})


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


def is_decorated_alike(pair: Pair, each: Disagreement) -> bool:
    """Whether stub and code write one and the same header with the same decorators, one of which may give anything:
    stubtest holds what its type says against what it gives. Generators of stubs leave out what decorators are given."""
    if each.report.kind not in (Kind.PARAMETERS, Kind.DEFAULT, Kind.KIND):
        return False
    name = each.report.symbol.rpartition(".")[2]
    functions = [
        function_named(body_around(pair, each.report.symbol, stub=stub), name) for stub in (True, False)
    ]
    if None in functions:
        return False
    headers = [
        ([argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)], decorators)
        for node in functions
        if node is not None
        for decorators in [[ast.unparse(each).partition("(")[0] for each in node.decorator_list]]
    ]
    # What has to lie in a class to be called stands outside of one on both sides.
    owner = each.report.symbol.rpartition(".")[0]
    misplaced = "classmethod" in headers[0][1] and is_module(pair, owner)
    return headers[0] == headers[1] and (misplaced or not set(headers[0][1]) <= _KEEPING)


def is_annotated_alike(pair: Pair, each: Disagreement) -> bool:
    """Whether stub and code annotate an attribute alike, and the code gives it what only running tells: a marker, or
    what its metaclass makes something else of."""
    if each.report.kind not in (Kind.TYPE, Kind.PROPERTY):
        return False
    name = each.report.symbol.rpartition(".")[2]
    annotated = [
        [
            (_plainly(node.annotation), node.value)
            for node in flat(body_around(pair, each.report.symbol, stub=stub) or [])
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name
        ]
        for stub in (True, False)
    ]
    if len(annotated[0]) != 1 or len(annotated[1]) != 1:
        return False
    ((ours, _),), ((theirs, value),) = annotated
    return ours == theirs and value is not None and not isinstance(value, ast.Constant)


def _plainly(annotation: ast.expr) -> str:
    """An annotation without what its older and newer spellings differ in."""
    text = re.sub(r"[\"']|\b(?:typing|t)\.", "", ast.unparse(annotation)).lower()
    return re.sub(r"^optional\[(.*)\]$", r"\1 | none", text)


def has_the_same_unread_options(pair: Pair, each: Disagreement) -> bool:
    """Whether stub and code decorate a class alike by `dataclass(**options)`, which no type checker reads."""
    if not each.report.symbol.endswith((".__init__", ".__match_args__")):
        return False
    classes = [owning_class(pair, each.report.symbol, stub=stub) for stub in (True, False)]
    said = [
        [ast.unparse(decorator) for decorator in class_.decorator_list] if class_ is not None else []
        for class_ in classes
    ]
    return said[0] == said[1] and any("(**" in text for text in said[0])


def is_listed_alike(pair: Pair, each: Disagreement) -> bool:
    """Whether `__all__` has the same names on both sides, in a list here and in a tuple there."""
    if each.report.kind is not Kind.EXPORTS or not each.report.message.startswith("variable differs"):
        return False
    listed = [_listed(pair, f"{each.report.symbol}.?", stub=stub) for stub in (True, False)]
    return listed[0] is not None and listed[0] == listed[1]


def _listed(pair: Pair, symbol: str, *, stub: bool) -> list[str] | None:
    """The names in the one `__all__` of a module, sorted; None where they are not all written out in one place."""
    values = [
        node.value
        for node in flat(body_around(pair, symbol, stub=stub) or [])
        if isinstance(node, ast.Assign) and "__all__" in map(ast.unparse, node.targets)
    ]
    if len(values) != 1 or not isinstance(values[0], ast.List | ast.Tuple):
        return None
    names = [item.value for item in values[0].elts if isinstance(item, ast.Constant)]
    return sorted(map(str, names)) if len(names) == len(values[0].elts) else None


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
