"""Values that the text tells by the names of constants: `LIMIT = BASE * 2`, `def f(size=LIMIT)`."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from crossval.compare.annotations import parse_expression
from crossval.compare.values import Literal, read_constant
from crossval.link.names.found import Found
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Module
from graph.compiled import compiled
from graph.facts import Fact, Json, Kind

_COMPUTES = compiled(r"[*/|<]")
_DEEPEST = 8
_LONGEST = 1_000
_GREATEST = 2**63
_NAMED = frozenset({"True", "False", "None"})
_OPERATIONS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.BitOr: operator.or_,
    ast.LShift: operator.lshift,
}
_FARTHEST = 64


def valued(spec: Sequence[Fact], found: Found, lookup: Lookup) -> Found:
    """What was found, with the values in place of expressions that name constants of the project.

    Only what the stub says something of is looked up: its attribute, and those of its parameters with a default.
    """
    module, fact = found.module, found.facts[0]
    if module is None:
        return found
    owner = found.local.rpartition(".")[0]
    if fact.kind is Kind.ATTRIBUTE and spec[0].kind is Kind.ATTRIBUTE:
        replaced = _attribute(fact, module, owner, lookup) if len(found.facts) == 1 else None
        return found if replaced is None else msgspec.structs.replace(found, facts=(replaced,))
    if fact.kind is not Kind.FUNCTION or spec[0].kind is not Kind.FUNCTION:
        return found
    given = {row[0] for each in spec for row in each.aspects.get("parameters", []) if row[3] is not None}
    facts = (
        tuple(_function(each, given, module, owner, lookup) for each in found.facts) if given else found.facts
    )
    return found if facts == found.facts else msgspec.structs.replace(found, facts=facts)


def _attribute(fact: Fact, module: Module, owner: str, lookup: Lookup) -> Fact | None:
    text = fact.aspects.get("value")
    if not isinstance(text, str) or fact.aspects.get("instance") or fact.aspects.get("guard"):
        return None
    value = _value(text, module, owner, lookup)
    return None if value is None else msgspec.structs.replace(fact, aspects={**fact.aspects, "value": value})


def _function(fact: Fact, given: set[Json], module: Module, owner: str, lookup: Lookup) -> Fact:
    rows: list[list[Json]] = []
    changed = False
    for row in fact.aspects.get("parameters", []):
        text = row[3]
        value = _value(text, module, owner, lookup) if isinstance(text, str) and row[0] in given else None
        changed = changed or value is not None
        rows.append(row if value is None else [*row[:3], value, *row[4:]])
    return msgspec.structs.replace(fact, aspects={**fact.aspects, "parameters": rows}) if changed else fact


def _value(text: str, module: Module, owner: str, lookup: Lookup) -> str | None:
    """The literal that an expression comes to; None where it is one already, or not all of it is known."""
    if text in _NAMED or not (any(map(str.isalpha, text)) or _COMPUTES.search(text)):
        return None
    if read_constant(text) is not None:
        return None
    tree = parse_expression(text)
    found = None if tree is None else _Reading(lookup).read(tree, module, owner, 0)
    written = repr(found.value) if found is not None else ""
    return written if 0 < len(written) <= _LONGEST and read_constant(written) is not None else None


class _Reading:
    """Works out expressions of literals, operators and names of constants."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup

    def read(self, node: ast.expr, module: Module, owner: str, depth: int) -> Literal | None:
        """The value of an expression in a module, or in the body of one of its classes; None where it is not known."""
        if depth > _DEEPEST:
            return None
        match node:
            case ast.Constant(value=value):
                return Literal(value)
            case ast.Name() | ast.Attribute():
                return self._named(ast.unparse(node), module, owner, depth + 1)
            case ast.BinOp(left=left, op=operation, right=right) if type(operation) in _OPERATIONS:
                values = [self.read(each, module, owner, depth + 1) for each in (left, right)]
                return _combined(_OPERATIONS[type(operation)], *values)
            case ast.Tuple(elts=items):
                values = [self.read(item, module, owner, depth + 1) for item in items]
                return None if None in values else Literal(tuple(each.value for each in values if each))
            case ast.List(elts=items):
                values = [self.read(item, module, owner, depth + 1) for item in items]
                return None if None in values else Literal([each.value for each in values if each])
            case _:
                return None

    def _named(self, name: str, module: Module, owner: str, depth: int) -> Literal | None:
        sibling = f"{owner}.{name}" if owner and "." not in name else ""
        if sibling in module.definitions:
            place, local = module, sibling
        else:
            found = self._lookup.constant(module, name)
            if found is None:
                return None
            place, local = found
        facts = place.definitions.get(local, ())
        fact = facts[0]
        if len(facts) != 1 or fact.kind is not Kind.ATTRIBUTE or fact.aspects.get("guard"):
            return None
        text = fact.aspects.get("value")
        if not isinstance(text, str) or fact.aspects.get("instance"):
            return None
        literal = read_constant(text)
        if literal is not None:
            return literal
        tree = parse_expression(text)
        return None if tree is None else self.read(tree, place, local.rpartition(".")[0], depth)


def _combined(operation: Callable[[Any, Any], Any], *operands: Literal | None) -> Literal | None:
    """The result of an operator on plain values, where it is small; None where it fails."""
    values = [each.value for each in operands if each is not None]
    if len(values) != len(operands) or any(
        not isinstance(value, int | float | str | tuple) for value in values
    ):
        return None
    if operation is operator.lshift and not all(
        isinstance(value, int) and value < _FARTHEST for value in values
    ):
        return None
    if operation is operator.mul and any(isinstance(value, str | tuple) for value in values):
        return None
    try:
        result = operation(*values)
    except (TypeError, ArithmeticError, ValueError):
        return None
    small = len(result) <= _LONGEST if isinstance(result, str | tuple) else abs(result) < _GREATEST
    return Literal(result) if small else None
