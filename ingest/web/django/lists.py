"""What the statements of a module or function make of a list that is bound to a name, such as `urlpatterns`."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.constants.constants import constant
from ingest.web.constants.outside_values import setting_named
from ingest.web.program.program import Program
from ingest.web.program.targets import External, ValueTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.django_applications import asks_for_application, is_installed
from ingest.web.values.instances import own_statements
from ingest.web.values.rounds import rounds

_BY_RUN: Final = frozenset({"DEBUG", "TESTING"})
"""Switches that are set otherwise where the project is served than where it is written."""


def assembled(program: Program, name: str, scope: Scope) -> list[tuple[ast.expr, bool]]:
    """What a list that is bound to a name is made of, and whether each part is there in every run; what stands under a
    setting of the project that is written down there as True or False counts as that says."""
    found: list[tuple[ast.expr, bool]] = []
    body = scope.node.body
    if not isinstance(body, list):
        return []
    always, never = _decided(program, body, scope)
    for statement in own_statements(body):
        if isinstance(statement, Function | ast.ClassDef) or statement in never:
            continue
        certain = statement in always
        match statement:
            case ast.Assign(targets=[ast.Name(id=bound)], value=value) if bound == name:
                if certain and not any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value)):
                    found.clear()
                if certain or not _wraps(value, name):
                    found.append((value, certain))
            case ast.AnnAssign(target=ast.Name(id=bound), value=ast.expr() as value) if bound == name:
                found.append((value, certain))
            case ast.AugAssign(target=ast.Name(id=bound), value=value) if bound == name:
                found.append((value, certain))
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=bound), slice=ast.Slice() as put)], value=value
            ):
                if bound == name and _inserts(put):
                    found.append((value, certain))
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=bound), attr=verb), args=[*args])
            ):
                if bound == name and args and verb in ("append", "extend", "insert"):
                    last = args[-1]
                    listed = last if verb == "extend" else ast.List(elts=[last], ctx=ast.Load())
                    found.append((ast.copy_location(listed, last), certain))
    return found


def _inserts(put: ast.Slice) -> bool:
    """Whether a part of a list that is assigned to is empty, so that nothing is taken away: `patterns[1:1] = more`."""
    if put.step is not None or put.upper is None:
        return False
    lower = put.lower or ast.Constant(value=0)
    return ast.dump(lower) == ast.dump(put.upper)


def _decided(program: Program, body: list[ast.stmt], scope: Scope) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The statements that run whenever those of a body do, and those that never run, as the project's settings and the
    call of a function are."""
    always, never = list(body), list[ast.stmt]()
    for statement in body:
        if not isinstance(statement, ast.If) or (said := _switch(program, statement.test, scope)) is None:
            continue
        taken, left = (statement.body, statement.orelse) if said else (statement.orelse, statement.body)
        inner, not_inner = _decided(program, taken, scope)
        always += inner
        never += [*not_inner, *own_statements(left)]
    return always, never


def _switch(program: Program, test: ast.expr, scope: Scope) -> bool | None:
    """Whether a switch in the project's settings, or one that a function is called with, is on; None for other tests,
    and for what differs from run to run."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _switch(program, test.operand, scope)
        return None if inner is None else not inner
    if isinstance(test, ast.Name) and isinstance(scope.node, Function):
        given = constant(program, test, scope)
        return given if isinstance(given, bool) else None
    if asks_for_application(test):
        # Where the settings leave one out, it is left to them whether others name it.
        return is_installed(program, test, scope) or None
    target = program.resolve(test, scope) if isinstance(test, ast.Attribute) else None
    if isinstance(target, ValueTarget) and isinstance(test, ast.Attribute) and test.attr not in _BY_RUN:
        # An object that hands out the application's own settings.
        return _plain(target.node)
    if not isinstance(target, External) or target.name in _BY_RUN:
        return None
    found = setting_named(program, target)
    value = found[0] if found is not None else None
    return _plain(value)


def _plain(value: ast.expr | None) -> bool | None:
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, bool) else None


def _wraps(value: ast.expr, name: str) -> bool:
    """Whether a list includes the one that had its name before, as where a condition puts all below a prefix."""
    return any(
        isinstance(part, ast.Call)
        and getattr(part.func, "id", "") == "include"
        and any(isinstance(argument, ast.Name) and argument.id == name for argument in part.args)
        for part in ast.walk(value)
    )


def is_named(node: ast.expr | None) -> bool:
    """Whether a value is a list of patterns with the name of its application: `(patterns, "name")`."""
    if not isinstance(node, ast.Tuple) or len(node.elts) != 2:
        return False
    return isinstance(node.elts[1], ast.Constant)


def in_each_round(program: Program, node: ast.expr, scope: Scope, place: Scope) -> bool:
    """Whether a part of a list that stands in loops of a body is there in a round of them: `place` is the scope as that
    round sees it."""
    call = next((part for part in ast.walk(node) if isinstance(part, ast.Call)), None)
    body = scope.node.body
    if place is scope or call is None or not isinstance(body, list):
        return False
    while body:
        around = next((each for each in body if any(part is call for part in ast.walk(each))), None)
        match around:
            case ast.For(body=inner, orelse=[]) if not any(
                isinstance(part, ast.Break | ast.Continue) for part in ast.walk(around)
            ):
                body = inner
            case ast.If(test=test, body=inner) if _switch(program, test, place):
                body = inner
            case ast.Expr() | ast.Assign() | ast.AugAssign():
                return True
            case _:
                return False
    return False


def each_round(program: Program, node: ast.expr, scope: Scope) -> list[Scope]:
    """The scope as each round of the loops around a part of a list sees it; the scope alone where there is none."""
    call = next((part for part in ast.walk(node) if isinstance(part, ast.Call) and scope.loops(part)), None)
    return rounds(program, call, scope) if call is not None else [scope]
