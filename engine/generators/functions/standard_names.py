"""Names of the standard library that examples use as everybody knows them, and leave to their readers to import."""

from __future__ import annotations

import ast
from collections.abc import Sequence

_HOMES = {
    **dict.fromkeys(("OrderedDict", "defaultdict", "Counter", "deque", "namedtuple"), "collections"),
    **dict.fromkeys(("date", "timedelta", "timezone"), "datetime"),
    **dict.fromkeys(("StringIO", "BytesIO"), "io"),
    **dict.fromkeys(("partial", "reduce"), "functools"),
    "Decimal": "decimal",
    "Fraction": "fractions",
    "pprint": "pprint",
}
_MODULES = frozenset(
    {
        "collections",
        "decimal",
        "fractions",
        "functools",
        "io",
        "itertools",
        "json",
        "math",
        "operator",
        "re",
        "string",
    }
)
# What packages are called that hardly anybody calls otherwise.
ALIASES = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot"}
# What a name of the module is used for, where the module has a class of the same name.
_OF_DATETIME = frozenset({"datetime", "date", "time", "timedelta", "timezone"})


def standard_import(name: str, trees: Sequence[ast.AST]) -> str:
    """The import of a name that examples use of the standard library without one; empty where it may be anything."""
    nodes = [node for tree in trees for node in ast.walk(tree)]
    called = any(isinstance(node, ast.Call) and _is(node.func, name) for node in nodes)
    asked = {node.attr for node in nodes if isinstance(node, ast.Attribute) and _is(node.value, name)}
    if name == "datetime":
        return (
            "from datetime import datetime" if called else "import datetime" if asked & _OF_DATETIME else ""
        )
    if name in _HOMES and called:
        return f"from {_HOMES[name]} import {name}"
    return f"import {name}" if name in _MODULES and asked and not called else ""


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
