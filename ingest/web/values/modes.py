"""Branches of shared code that only some callers or routes reach, by a parameter or by the route of the request."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ingest.web.constants.constants import Missing, constant
from ingest.web.program.calls import given_for, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget, ParameterTarget
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope

_VALUES = frozenset({"path_params", "view_args"})
_REQUESTS = frozenset({"request", "req"})
_OF_THE_ROUTE = frozenset({"path_params", "view_args", "url_rule", "endpoint"})


class Mode(msgspec.Struct, frozen=True):
    """What a parameter must be for a branch: one of these texts, or (without texts) true; or else not."""

    parameter: ParameterTarget
    values: tuple[str, ...] | None
    holds: bool

    def admits(self, value: object) -> bool:
        """Whether the branch is reached with this value."""
        met = bool(value) if self.values is None else value in self.values
        return met is self.holds


def modes_of(program: Program, test: ast.expr, scope: Scope, holds: bool = True) -> Iterator[Mode]:
    """The parameters that decide alone whether a test holds (or does not)."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from modes_of(program, test.operand, scope, not holds)
    elif isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) is holds:
            for value in test.values:
                yield from modes_of(program, value, scope, holds)
    elif isinstance(test, ast.Name):
        if (parameter := _parameter(program, test, scope)) is not None:
            yield Mode(parameter, None, holds)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.left, ast.Name):
        parameter = _parameter(program, test.left, scope)
        operator, other = test.ops[0], test.comparators[0]
        # Only members of enumerations, which are constants of a class, are told apart by identity.
        compares = isinstance(operator, ast.Eq | ast.NotEq | ast.In | ast.NotIn) or (
            isinstance(operator, ast.Is | ast.IsNot) and isinstance(other, ast.Attribute)
        )
        if parameter is not None and compares and (texts := _texts(program, other, scope)):
            yield Mode(parameter, texts, isinstance(operator, ast.Eq | ast.In | ast.Is) is holds)


def asks_route(test: ast.expr, scope: Scope) -> bool:
    """Whether a test asks which route or method the request came by, be it through variables."""
    waiting: list[ast.AST] = [test]
    seen: set[str] = set()
    kept = _is_with_kept(test)
    while waiting:
        for node in _asking(waiting.pop()):
            if isinstance(node, ast.Attribute) and _is_of_the_route(node):
                return True
            if isinstance(node, ast.Name) and node.id not in seen:
                seen.add(node.id)
                values = [b.value for b in scope.bindings.get(node.id, []) if b.how is Bound.VALUE]
                waiting.extend(each for each in values if each is not None and not (kept and _is_made(each)))
    return False


def carried(
    program: Program, mode: Mode, called: FunctionTarget, call: ast.Call | None, scope: Scope
) -> Mode | bool:
    """What a mode of a called function means for its caller: a mode of its own, or whether the branch is reached.

    A value that only a run can tell reaches every branch.
    """
    if mode.parameter.scope is not called.body:
        return mode
    if call is None or has_stars(call):
        return True
    value, place = given_for(mode.parameter, called, call, scope)
    if value is None:
        return True
    known = constant(program, value, place)
    if not isinstance(known, Missing):
        return mode.admits(known)
    target = program.resolve(value, place) if isinstance(value, ast.Name) else None
    return Mode(target, mode.values, mode.holds) if isinstance(target, ParameterTarget) else True


def _parameter(program: Program, node: ast.Name, scope: Scope) -> ParameterTarget | None:
    target = program.resolve(node, scope)
    return target if isinstance(target, ParameterTarget) else None


def _texts(program: Program, node: ast.expr, scope: Scope) -> tuple[str, ...]:
    value = constant(program, node, scope)
    values = value if isinstance(value, list) else [value]
    texts = tuple(text for text in values if isinstance(text, str))
    return texts if len(texts) == len(values) else ()


def _is_with_kept(test: ast.expr) -> bool:
    """Whether a test compares a value with what some object keeps: `record.digest != digest`."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
            return {type(left), type(right)} == {ast.Name, ast.Attribute}
    return False


def _is_made(value: ast.expr) -> bool:
    """Whether a function makes a value, of whatever it is given."""
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name)


def _asking(whole: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression, without values of the path that are taken by their names: every route has its own."""
    waiting: list[ast.AST] = [whole]
    while waiting:
        node = waiting.pop()
        yield node
        taken = node.value if isinstance(node, ast.Subscript) else None
        if not (isinstance(taken, ast.Attribute) and taken.attr in _VALUES):
            waiting.extend(ast.iter_child_nodes(node))


def _is_of_the_route(node: ast.Attribute) -> bool:
    owner = node.value
    if node.attr in _OF_THE_ROUTE:
        # A project may have endpoints of its own.
        return node.attr != "endpoint" or last_name(owner) in _REQUESTS
    if node.attr == "path" and isinstance(owner, ast.Attribute) and owner.attr == "url":
        return True
    asked = last_name(owner)
    return node.attr == "method" and asked in _REQUESTS
