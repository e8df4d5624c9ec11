"""Conditions that only ask whether something is what is registered then: `if hasattr(module, "router"):`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ingest.web.syntax.naming import last_name

_NOTHING: frozenset[str] = frozenset()
_KINDS = ("Router", "FastAPI", "Starlette")


def asked_for(test: ast.expr, value: Callable[[str], ast.expr | None]) -> frozenset[str]:
    """The names of which a condition asks whether they are a router, or have one: who has none registers nothing
    anyway. Empty for every other condition. `value` gives what a name was last bound to."""
    match test:
        case (
            ast.Name(id=name)
            | ast.Compare(left=ast.Name(id=name), ops=[ast.IsNot()], comparators=[ast.Constant(value=None)])
        ):
            return frozenset({name}) if _is_attribute(value(name)) else _NOTHING
        case ast.BoolOp(op=ast.And(), values=parts):
            told = [asked_for(part, value) for part in parts]
            return _NOTHING.union(*told) if all(told) else _NOTHING
        case ast.Call(func=ast.Name(id="hasattr"), args=[ast.Name(id=name), ast.Constant()]):
            return frozenset({name})
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kind]):
            return frozenset({name}) if last_name(kind).endswith(_KINDS) else _NOTHING
    return _NOTHING


def names_given(call: ast.Call) -> frozenset[str]:
    """The names in what a call is given."""
    given = [*call.args, *(each.value for each in call.keywords)]
    return frozenset(part.id for each in given for part in ast.walk(each) if isinstance(part, ast.Name))


def _is_attribute(node: ast.expr | None) -> bool:
    """Whether an expression takes an attribute that may not be there: `getattr(module, "router", None)`."""
    return isinstance(node, ast.Call) and last_name(node.func) == "getattr"
