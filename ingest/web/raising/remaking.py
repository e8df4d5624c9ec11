"""Decorators that make the answer out of what the handler gives: `return JSONResponse(await view(request))`."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from ingest.web.answers.answers import Answers
from ingest.web.constants.constants import Missing, constant
from ingest.web.program.calls import given_for, has_stars
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    ParameterTarget,
    Target,
    ValueTarget,
)
from ingest.web.raising.decorators import around_of
from ingest.web.syntax.bindings import Bound, Function, parameters
from ingest.web.syntax.copies import copy_of
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of
from ingest.web.values.instances import Instances, returned
from ingest.web.values.nothing import gives_nothing
from ingest.web.values.taken_branches import holds, without_branches

_SOMETHING = object()
_DEPTH = 6


def remade(
    program: Program, answers: Answers, handler: FunctionTarget, decorators: Iterable[tuple[ast.expr, Scope]]
) -> tuple[FunctionTarget, list[tuple[ast.expr, Scope]]]:
    """What answers in the place of a handler, where decorators of the project answer with what it gives; and the
    decorators that are left."""
    kept: list[tuple[ast.expr, Scope]] = []
    for decorator, scope in reversed(list(decorators)):
        made = None
        if around_of(program, answers, decorator, scope) is None:
            key = ("remade", decorator, handler.node)
            made = program.remember(key, partial(_remade, answers.instances, decorator, scope, handler))
        if made is None:
            kept.insert(0, (decorator, scope))
        else:
            handler = made
    return handler, kept


def _remade(
    instances: Instances, decorator: ast.expr, scope: Scope, handler: FunctionTarget
) -> FunctionTarget | None:
    """The function that a decorator puts in the place of a handler, as it is for this one; None where it does more."""
    call = decorator if isinstance(decorator, ast.Call) else None
    target = instances.program.resolve(call.func if call is not None else decorator, scope)
    if call is not None and isinstance(target, FunctionTarget):
        if has_stars(call):
            return None
        target = _only_given(instances.program, target, _given(instances.program, target, call, scope))
    if not isinstance(target, FunctionTarget):
        return None
    first = next(parameters(target.node), None)
    # What decorates the handler is not run again where the wrapper calls it.
    plain = _undecorated(handler)
    wrapper = _only_given(instances.program, target, {first[0].arg: plain}) if first is not None else None
    if wrapper is None or first is None:
        return None
    # What is known of a piece of code is kept with it: the wrapper of each handler is one of its own.
    wrapper = FunctionTarget(copy_of(wrapper.node), wrapper.scope)
    calls = [
        each
        for each in wrapper.body.calls
        if isinstance(each.func, ast.Name) and each.func.id == first[0].arg
    ]
    if not calls or any(_is_given_away(wrapper.node, first[0].arg)):
        return None
    return _as_for(instances, wrapper, handler, calls)


def _undecorated(handler: FunctionTarget) -> FunctionTarget:
    node = copy.copy(handler.node)
    if isinstance(node, Function):
        node.decorator_list = []
    return FunctionTarget(node, handler.scope)


def _only_given(
    program: Program, function: FunctionTarget, given: dict[str, Target]
) -> FunctionTarget | None:
    """The one function within another that this gives back, where its parameters are these."""
    if not isinstance(function.node, ast.FunctionDef):
        return None
    results = returned(function)
    if len(results) != 1 or not isinstance(results[0][0], ast.Name):
        return None
    found = program.resolve(results[0][0], _told(program, function, given))
    within = isinstance(found, FunctionTarget) and found.scope.node is function.node
    return found if within and isinstance(found, FunctionTarget) else None


def _told(program: Program, function: FunctionTarget, given: dict[str, Target]) -> Scope:
    """A function's scope as a call sees it that gives these, with what it chooses by them."""
    told = function.body.told(given)
    for name, found in list(told.bindings.items()):
        value = found[0].value if len(found) == 1 and found[0].how is Bound.VALUE else None
        if isinstance(value, ast.IfExp) and (taken := _chosen(program, value, told, 0)) is not None:
            told.bindings[name] = [replace(found[0], value=taken)]
    return told


def _given(program: Program, called: FunctionTarget, call: ast.Call, scope: Scope) -> dict[str, Target]:
    found: dict[str, Target] = {}
    for argument, default in parameters(called.node):
        target = ParameterTarget(argument.arg, called.body, argument.annotation, default)
        value, place = given_for(target, called, call, scope)
        known = program.resolve(value, place) if value is not None else None
        if known is not None and not isinstance(known, ParameterTarget):
            found[argument.arg] = known
    return found


def _is_given_away(node: ast.AST, name: str) -> list[bool]:
    """Whether the wrapped function is given to anybody, or called out of another's hands: once for each place."""
    parts = nodes_of(node)
    called = {part.func for part in parts if isinstance(part, ast.Call)}
    wraps = {part for each in getattr(node, "decorator_list", ()) for part in ast.walk(each)}
    uses = [part for part in parts if isinstance(part, ast.Name) and part.id == name]
    return [True for part in uses if part not in called and part not in wraps]


def _as_for(
    instances: Instances, wrapper: FunctionTarget, handler: FunctionTarget, calls: list[ast.Call]
) -> FunctionTarget | None:
    """The wrapper without the branches that what it is told and what the handler gives rule out; None where it asks
    whether the handler gives nothing and that cannot be known."""
    if not isinstance(wrapper.node, Function):
        return None
    results = {
        name
        for name, found in wrapper.body.bindings.items()
        if found and all(b.how is Bound.VALUE and _is_call(b.value, calls) for b in found)
    }
    values: dict[str, object] = {}
    asked = _asked(wrapper)
    for name in asked:
        if name in results:
            nothing = gives_nothing(instances, handler)
            if nothing is None:
                return None
            values[name] = None if nothing else _SOMETHING
        elif wrapper.body.bindings.get(name) is None:
            state = _state(
                instances.program, ast.Name(name, ast.Load(), lineno=wrapper.node.lineno), wrapper.body
            )
            values |= {} if isinstance(state, Missing) else {name: state}
    return without_branches(wrapper, lambda test: _decided(test, values))


def _decided(test: ast.expr, values: dict[str, object]) -> bool | None:
    match test:
        case ast.Compare(
            left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot() as operator], comparators=[other]
        ) if is_none(other) and name in values:
            return (values[name] is None) is isinstance(operator, ast.Is)
    return holds(test, {name: value for name, value in values.items() if value is not _SOMETHING})


def _asked(function: FunctionTarget) -> set[str]:
    """The names of which the branches of a function ask."""
    tests = [node.test for node in nodes_of(function.node) if isinstance(node, ast.If | ast.IfExp)]
    return {part.id for test in tests for part in ast.walk(test) if isinstance(part, ast.Name)}


def _is_call(node: ast.expr | None, calls: list[ast.Call]) -> bool:
    return (node.value if isinstance(node, ast.Await) else node) in calls


def _state(program: Program, node: ast.expr, scope: Scope, depth: int = 0) -> object:
    """The constant that an expression is, or only that it is something; missing where not even that is known."""
    target = program.resolve(node, scope) if depth < _DEPTH else None
    if isinstance(target, ClassTarget | External | FunctionTarget):
        return _SOMETHING
    if not isinstance(target, ValueTarget) or target.node is None:
        return Missing()
    if isinstance(target.node, ast.IfExp):
        taken = _chosen(program, target.node, target.scope, depth + 1)
        return _state(program, taken, target.scope, depth + 1) if taken is not None else Missing()
    known = constant(program, target.node, target.scope)
    made = isinstance(known, Missing) and isinstance(target.node, ast.Call)
    return _SOMETHING if made else known


def _chosen(program: Program, choice: ast.IfExp, scope: Scope, depth: int) -> ast.expr | None:
    """The part of a choice that is taken, as far as the names that it asks of are known."""
    names = {part.id: part for part in ast.walk(choice.test) if isinstance(part, ast.Name)}
    states = {name: _state(program, part, scope, depth + 1) for name, part in names.items()}
    known = {name: state for name, state in states.items() if not isinstance(state, Missing)}
    taken = _decided(choice.test, known)
    return None if taken is None else choice.body if taken else choice.orelse
