"""Functions of which is known what their parameters stand for: a copy each, without the branches that rules out."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import partial

from ingest.web.constants.configured import configured
from ingest.web.constants.constants import constant
from ingest.web.constants.table_rules import settled
from ingest.web.program.calls import given_for, is_static, parameter_names
from ingest.web.program.program import Program
from ingest.web.program.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    ParameterTarget,
    Target,
    ValueTarget,
)
from ingest.web.syntax.bindings import parameters, standing_for
from ingest.web.syntax.copies import copy_of
from ingest.web.syntax.scopes import Scope
from ingest.web.values.taken_branches import without_branches


def as_told(program: Program, function: FunctionTarget, given: Mapping[str, Target]) -> Scope:
    """The scope of a copy of the function, in which these parameters stand for what they are given.

    What the function binds them to later (`rule = self.prefix + rule`) holds from there on. A branch is left out
    where what is given, and settings as nobody sets them, tell that it is not taken.
    """
    whole = FunctionTarget(copy_of(function.node), function.scope)
    scope = _bound(whole, given)

    def decided(test: ast.expr) -> bool | None:
        with program.following():
            holds = settled(program, test, scope)
            return _of_object(program, test, scope) if holds is None else holds

    taken = without_branches(whole, decided)
    return scope if taken is whole else _bound(taken, given)


def _of_object(program: Program, test: ast.expr, scope: Scope) -> bool | None:
    """Whether a test holds that asks if there is an object of the project's, or if it is of a class."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _of_object(program, test.operand, scope)
        return None if inner is None else not inner
    target = program.resolve(test, scope)
    if isinstance(target, ValueTarget) and target.node is not None and target.node is not test:
        return _of_object(program, target.node, target.scope)
    read = partial(constant, program)
    match test:
        case ast.Name() | ast.Attribute():
            return True if configured(program, test, scope, read) is not None else None
        case ast.Call(func=ast.Name(id="isinstance"), args=[value, of]):
            made, wanted = configured(program, value, scope, read), program.resolve(of, scope)
            above = program.ancestry(made.owner) if made is not None else [None]
            if isinstance(wanted, ClassTarget | External) and None not in above:
                return any(_same(each, wanted) for each in above)
    return None


def _same(first: Target | None, second: ClassTarget | External) -> bool:
    if isinstance(first, ClassTarget) and isinstance(second, ClassTarget):
        return first.node is second.node
    return first == second


def told_by(program: Program, function: FunctionTarget, call: ast.Call, scope: Scope) -> dict[str, Target]:
    """What a call gives for the parameters of a function, the rest of its arguments as a table; for `self` the call
    that makes the object, where that is known."""
    given: dict[str, Target] = {}
    for each, default in parameters(function.node):
        told = ParameterTarget(each.arg, function.body, each.annotation, default)
        value, place = given_for(told, function, call, scope)
        if value is not None:
            given[each.arg] = program.resolve(value, place) or ValueTarget(value, place)
    first = next(parameters(function.node), None) if function.scope.is_class else None
    if first is not None and isinstance(call.func, ast.Attribute) and not is_static(function):
        owner = program.resolve(call.func.value, scope)
        if isinstance(owner, ClassTarget):
            # Of a class method, the class that it is called on.
            given[first[0].arg] = owner
            return {**given, **_rest(function, call, scope)}
        made = configured(program, call.func.value, scope, partial(constant, program))
        given |= {first[0].arg: ValueTarget(made.call, made.scope)} if made is not None else {}
    return {**given, **_rest(function, call, scope)}


def _rest(function: FunctionTarget, call: ast.Call, scope: Scope) -> dict[str, Target]:
    """What a call gives for `*arguments` and `**options`."""
    given: dict[str, Target] = {}
    names, arguments = parameter_names(function), function.node.args
    if arguments.vararg is not None:
        rest = call.args[len(names) - len(arguments.kwonlyargs) :]
        given[arguments.vararg.arg] = ValueTarget(ast.Tuple(list(rest), ast.Load()), scope)
    if arguments.kwarg is not None:
        more = [each for each in call.keywords if each.arg not in names]
        keys: list[ast.expr | None] = [ast.Constant(each.arg) if each.arg else None for each in more]
        given[arguments.kwarg.arg] = ValueTarget(ast.Dict(keys, [each.value for each in more]), scope)
    return given


def _bound(function: FunctionTarget, given: Mapping[str, Target]) -> Scope:
    scope = function.body
    for name, target in given.items():
        own = standing_for(function.node, target)
        later = [each for each in scope.bindings.get(name, ()) if not isinstance(each.node, ast.arg)]
        scope.bindings[name] = [own, *later]
    return scope
