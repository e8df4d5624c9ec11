"""What tables of rules that stand in the source say: `{"title": {"type": str, "required": True, "max": 80}}`."""

from __future__ import annotations

import ast

from ingest.web.constants.constants import MISSING, Constant, Missing, constant, entries
from ingest.web.program.calls import taken_by_key
from ingest.web.program.methods import owner_of_self
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ParameterTarget, ValueTarget
from ingest.web.syntax.scopes import Scope


def looked_up(program: Program, node: ast.expr, scope: Scope) -> tuple[ast.expr, Scope] | None:
    """What a table that stands in the source holds under a fixed key: `rule["type"]`, `rule.get("type")`."""
    taken = taken_by_key(node)
    if taken is None:
        return None
    table, key = taken
    wanted = constant(program, key, scope)
    pairs = entries(program, table, scope)
    if not isinstance(wanted, str) or pairs is None:
        return None
    found = [(value, place) for name, value, place in pairs if constant(program, name, place) == wanted]
    if found:
        return found[-1]
    absent = node.args[1] if isinstance(node, ast.Call) and len(node.args) > 1 else ast.Constant(None)
    return (absent, scope) if isinstance(node, ast.Call) else None


def known_value(program: Program, node: ast.expr, scope: Scope) -> Constant:
    """The value of an expression that stands in the source, also under a key of a table; else `MISSING`."""
    value = constant(program, node, scope)
    if not isinstance(value, Missing):
        return value
    held = looked_up(program, node, scope) or of_own_class(program, node, scope)
    return value if held is None else constant(program, *held)


def of_own_class(program: Program, node: ast.expr, scope: Scope) -> tuple[ast.expr, Scope] | None:
    """What the class around a method says of a name: `self.LEVELS`; None for what is no such name."""
    if not isinstance(node, ast.Attribute):
        return None
    target = program.resolve(node.value, scope)
    owner = owner_of_self(target) if isinstance(target, ParameterTarget) else None
    if owner is None:
        return None
    found = program.class_member(owner, node.attr)
    if not isinstance(found, ValueTarget) or found.node is None:
        return None
    return found.node, found.scope


def settled(program: Program, test: ast.expr, scope: Scope) -> bool | None:
    """Whether a test holds that asks only what stands in the source, as `limit is not None` may; None for any other."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = settled(program, test.operand, scope)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        decisive = isinstance(test.op, ast.Or)
        parts = [settled(program, each, scope) for each in test.values]
        return decisive if decisive in parts else None if None in parts else not decisive
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        operator, right = test.ops[0], test.comparators[0]
        value: Constant = MISSING
        if isinstance(operator, ast.Is | ast.IsNot) and is_none(right):
            value = known_value(program, test.left, scope)
            return None if isinstance(value, Missing) else (value is None) is isinstance(operator, ast.Is)
        if isinstance(operator, ast.In | ast.NotIn):
            pairs, key = entries(program, right, scope), constant(program, test.left, scope)
            if pairs is None or not isinstance(key, str):
                return None
            held = any(constant(program, name, place) == key for name, _, place in pairs)
            return held is isinstance(operator, ast.In)
    value = known_value(program, test, scope)
    return None if isinstance(value, Missing) else bool(value)
