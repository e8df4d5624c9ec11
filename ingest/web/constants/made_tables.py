"""Dictionaries that a function or a comprehension makes: `{code: {"model": Problem} for code in codes}`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from ingest.web.program.calls import given_for, has_stars, parameter_names
from ingest.web.program.functions import returned
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget, ParameterTarget, Target, ValueTarget
from ingest.web.syntax.bindings import parameters
from ingest.web.syntax.scopes import Scope

Entries: TypeAlias = list[tuple[ast.expr, ast.expr, Scope]]
_WRITTEN = (ast.Dict, ast.DictComp, ast.BinOp)


def made_by_function(program: Program, call: ast.Call, scope: Scope) -> tuple[ast.expr, Scope] | None:
    """The dictionary that a function writes out in what it returns, with its names as this call gives them."""
    called = program.resolve(call.func, scope)
    if not isinstance(called, FunctionTarget) or not isinstance(called.node, ast.FunctionDef):
        return None
    if called.node.decorator_list or called.scope.is_class or has_stars(call) or called.node.args.kwarg:
        return None
    results = returned(called)
    if len(results) != 1 or not isinstance(results[0][0], _WRITTEN):
        return None
    given: dict[str, Target] = {}
    for argument, default in parameters(called.node):
        target = ParameterTarget(argument.arg, called.body, argument.annotation, default)
        value, place = given_for(target, called, call, scope)
        known = program.resolve(value, place) if value is not None else None
        if known is not None:
            given[argument.arg] = known
    if (rest := called.node.args.vararg) is not None:
        first = len(parameter_names(called)) - len(called.node.args.kwonlyargs)
        whole = ast.copy_location(ast.Tuple(call.args[first:], ast.Load()), call)
        given[rest.arg] = ValueTarget(whole, scope)
    return results[0][0], called.body.told(given)


def made_in_rounds(
    program: Program,
    node: ast.DictComp,
    scope: Scope,
    elements: Callable[[ast.expr], list[tuple[ast.expr, Scope]] | None],
) -> Entries | None:
    """The entries of a comprehension over a list that stands in the source."""
    (loop, *more) = node.generators
    if more or loop.ifs or loop.is_async or not isinstance(loop.target, ast.Name):
        return None
    listed = elements(loop.iter)
    if listed is None:
        return None
    meant = [program.resolve(each, place) or ValueTarget(each, place) for each, place in listed]
    rounds = [scope.round({loop.target.id: target}) for target in meant]
    return [(node.key, node.value, each) for each in rounds]
