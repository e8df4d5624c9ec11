"""Helpers as one call runs them: without the branches that what the call gives rules out."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Final, TypeAlias

from ingest.web.constants.constants import Missing, constant
from ingest.web.program.calls import given_for, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget, ParameterTarget
from ingest.web.syntax.bindings import Bound, Function, parameters
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of

_AROUND = (ast.Try, ast.With, ast.AsyncWith)
_MADE = (ast.Dict, ast.List, ast.Tuple, ast.Set, ast.JoinedStr, ast.DictComp, ast.ListComp, ast.Lambda)


class _Something:
    """A value of which only is known that it is not None."""


_SOMETHING: Final = _Something()
Given: TypeAlias = dict[str, object]


def as_called(program: Program, called: FunctionTarget, call: ast.Call, scope: Scope) -> FunctionTarget:
    """The function without the branches that this call does not take, as far as what it gives is known."""
    if not isinstance(called.node, Function) or has_stars(call):
        return called
    tested = program.remember(("tested", called.node), lambda: _tested(called))
    if not tested:
        return called
    return program.remember(
        ("without branches", called.node, call), lambda: _pruned(program, called, tested, call, scope)
    )


def _tested(called: FunctionTarget) -> frozenset[str]:
    """The parameters that the tests of a function's branches name, and that it never gives another value."""
    names = {
        part.id
        for node in nodes_of(called.node)
        if isinstance(node, ast.If)
        for part in nodes_of(node.test)
        if isinstance(part, ast.Name)
    }
    own = {each.arg for each, _ in parameters(called.node)}
    bindings = called.body.bindings
    return frozenset(
        name for name in names & own if [each.how for each in bindings.get(name, ())] == [Bound.PARAMETER]
    )


def _pruned(
    program: Program, called: FunctionTarget, tested: frozenset[str], call: ast.Call, scope: Scope
) -> FunctionTarget:
    given: Given = {}
    for each, default in parameters(called.node):
        if each.arg not in tested:
            continue
        value, place = given_for(
            ParameterTarget(each.arg, called.body, each.annotation, default), called, call, scope
        )
        known = constant(program, value, place)
        if not isinstance(known, Missing):
            given[each.arg] = known
        elif isinstance(value, _MADE):
            given[each.arg] = _SOMETHING
    return without_branches(called, lambda test: holds(test, given))


def without_branches(called: FunctionTarget, decided: Callable[[ast.expr], bool | None]) -> FunctionTarget:
    """The function without the branches that are not taken, as far as it is decided whether their tests hold."""
    assert isinstance(called.node, Function), "lambdas have no branches"
    body, changed = _taken(called.node.body, decided)
    if not changed:
        return called
    node = copy.copy(called.node)
    node.body = body or [ast.copy_location(ast.Pass(), called.node)]
    return FunctionTarget(node, called.scope)


def _taken(body: list[ast.stmt], decided: Callable[[ast.expr], bool | None]) -> tuple[list[ast.stmt], bool]:
    kept: list[ast.stmt] = []
    changed = False
    for statement in body:
        if isinstance(statement, ast.If) and (holds := decided(statement.test)) is not None:
            branch, _ = _taken(statement.body if holds else statement.orelse, decided)
            kept += branch
            changed = True
            if branch and isinstance(branch[-1], ast.Return | ast.Raise):
                return kept, True
            continue
        if isinstance(statement, (ast.If, *_AROUND)):
            inner, inside = _taken(statement.body, decided)
            other, outside = (
                _taken(statement.orelse, decided) if isinstance(statement, ast.If) else ([], False)
            )
            if inside or outside:
                statement = copy.copy(statement)
                statement.body = inner or [ast.copy_location(ast.Pass(), statement)]
                if isinstance(statement, ast.If):
                    statement.orelse = other
                changed = True
        kept.append(statement)
    return kept, changed


def holds(test: ast.expr, given: Given) -> bool | None:
    """Whether a test holds with what is given; None where that is not known."""
    match test:
        case ast.Name(id=name) if name in given:
            return None if given[name] is _SOMETHING else bool(given[name])
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            found = holds(operand, given)
            return None if found is None else not found
        case ast.BoolOp(op=operator, values=values):
            every = [holds(value, given) for value in values]
            ends = isinstance(operator, ast.Or)
            if ends in every:
                return ends
            return None if None in every else not ends
        case ast.Compare(left=ast.Name(id=name), ops=[operator], comparators=[ast.Constant(value=other)]):
            return _compared(given[name], operator, other) if name in given else None
    return None


def _compared(value: object, operator: ast.cmpop, other: object) -> bool | None:
    if isinstance(operator, ast.Is | ast.IsNot) and other is None:
        return (value is None) is isinstance(operator, ast.Is)
    if value is _SOMETHING or isinstance(operator, ast.Is | ast.IsNot):
        return None
    if isinstance(operator, ast.Eq | ast.NotEq):
        return (value == other) is isinstance(operator, ast.Eq)
    return None
