"""Helpers that are told what to take: a function as one of its calls makes it, its parameters as they are given."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping

from ingest.web.constants.constants import Missing, constant
from ingest.web.program.calls import given_for, has_stars, is_static, parameter_names
from ingest.web.program.heirs import of_heir
from ingest.web.program.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    ParameterTarget,
    Target,
    ValueTarget,
)
from ingest.web.syntax.bindings import Bound, Function, parameters, standing_for
from ingest.web.syntax.copies import copy_of
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of
from ingest.web.values.instances import Instances
from ingest.web.values.taken_branches import holds, without_branches

_MOST = 400
_TAKING = frozenset({"get", "getone", "getall", "getlist", "pop", "header"})
_CHECKING = frozenset({"validate", "decode", "convert", "Validator", "Schema"})
_LOADING = frozenset({"load", "validate", "is_valid", "iter_errors", "decode"})
_WRITTEN = (ast.Dict, ast.List, ast.Tuple, ast.Set)
_TABLES = (ast.Call, *_WRITTEN)
_MAKING = frozenset({"model_validate", "model_validate_json", "parse_obj", "parse_raw"})


def called_by(instances: Instances, call: ast.Call, scope: Scope) -> Target | None:
    """What a call calls; a function that is told by name what to take, as this call tells it."""
    key = ("called by", call, scope, instances.program.follows)
    return instances.program.remember(key, lambda: _called_by(instances, call, scope))


def _called_by(instances: Instances, call: ast.Call, scope: Scope) -> Target | None:
    called = instances.callee(call.func, scope)
    if not isinstance(called, FunctionTarget) or not isinstance(called.node, Function):
        return called
    called = _of_heir(instances, called, call, scope)
    assert isinstance(called.node, Function), "copies of functions are functions"
    names = instances.program.remember(("keys", called.node), lambda: _keys(called))
    if not names or called.node.decorator_list or has_stars(call):
        return called
    told = instances.program.remember(
        ("told", called.node, call), lambda: _told(instances, called, names, call, scope)
    )
    return told or called


def _of_heir(instances: Instances, called: FunctionTarget, call: ast.Call, scope: Scope) -> FunctionTarget:
    """A method that a class above defines, as the objects of the class have it on which it is called here."""
    owner = instances.of(call.func.value, scope) if isinstance(call.func, ast.Attribute) else None
    around, first = called.scope.node, next(parameters(called.node), None) if called.scope.is_class else None
    if not isinstance(owner, ClassTarget) or first is None or owner.node is around or is_static(called):
        return called
    if any(
        isinstance(d, ast.Name) and d.id == "classmethod" for d in getattr(called.node, "decorator_list", ())
    ):
        return called

    return of_heir(instances.program, called, owner)


def with_told(instances: Instances, functions: Iterable[FunctionTarget]) -> list[FunctionTarget]:
    """These functions, and those that their calls make of them; the first stays, and who is always told goes."""
    found = list(functions)
    listed = {function.node for function in found}
    known = set(listed)
    told: set[ast.AST] = set()
    plain: set[ast.AST] = {function.node for function in found[:1]}
    for function in found:
        for call in function.body.calls:
            called = called_by(instances, call, function.body)
            if not isinstance(called, FunctionTarget) or called.node in listed:
                plain |= {called.node} if isinstance(called, FunctionTarget) else set()
                continue
            meant = instances.callee(call.func, function.body)
            if isinstance(meant, FunctionTarget) and meant.node in listed and len(found) < _MOST:
                told.add(meant.node)
                found += [called] if called.node not in known else []
                known.add(called.node)
    return [function for function in found if function.node not in told - plain]


def calls_among(
    instances: Instances, functions: Iterable[FunctionTarget]
) -> dict[ast.AST, list[tuple[ast.Call, FunctionTarget]]]:
    """The calls that these functions make, by the function that is called, each with the one that makes it."""
    found: dict[ast.AST, list[tuple[ast.Call, FunctionTarget]]] = {}
    for caller in functions:
        for call in caller.body.calls:
            called = called_by(instances, call, caller.body)
            if isinstance(called, FunctionTarget):
                found.setdefault(called.node, []).append((call, caller))
    return found


def _told(
    instances: Instances, called: FunctionTarget, names: frozenset[str], call: ast.Call, scope: Scope
) -> FunctionTarget | None:
    """The function as this call makes it; None where the call does not say what is to be taken."""
    given: dict[str, Target] = {}
    for node, default in parameters(called.node):
        bindings = called.body.bindings.get(node.arg, [])
        if len(bindings) != 1 or bindings[0].how is not Bound.PARAMETER:
            continue
        parameter = ParameterTarget(node.arg, called.body, node.annotation, default)
        value, place = given_for(parameter, called, call, scope)
        if value is None:
            continue
        target = instances.program.resolve(value, place) or _kept_by(instances, value, place)
        if isinstance(target, ClassTarget | External):
            given[node.arg] = target
        elif (node.arg in names and isinstance(value, _WRITTEN)) or not isinstance(
            constant(instances.program, value, place), Missing
        ):
            given[node.arg] = ValueTarget(value, place)
        elif node.arg in names and isinstance(target, ValueTarget) and isinstance(target.node, _TABLES):
            given[node.arg] = target
    listed, rest = called.node.args.vararg, called.node.args.kwarg
    open_ones = {each.arg for each in (listed, rest) if each is not None}
    if not names & (given.keys() | open_ones):
        return None
    if listed is not None:
        first = len(parameter_names(called)) - len(called.node.args.kwonlyargs)
        given[listed.arg] = ValueTarget(
            ast.copy_location(ast.Tuple(call.args[first:], ast.Load()), call), scope
        )
    if rest is not None:
        named = {node.arg for node, _ in parameters(called.node)}
        more = [each for each in call.keywords if each.arg not in named]
        keys: list[ast.expr | None] = [ast.Constant(each.arg) for each in more]
        whole = ast.copy_location(ast.Dict(keys, [each.value for each in more]), call)
        given[rest.arg] = ValueTarget(whole, scope)
    alike = frozenset((name, _alike(target)) for name, target in given.items())
    return instances.program.remember(
        ("given alike", called.node, alike), lambda: _as_run(instances, called, given)
    )


def _as_run(instances: Instances, called: FunctionTarget, given: Mapping[str, Target]) -> FunctionTarget:
    """The copy as `with_given` makes it, without the branches that constants among what is given rule out."""
    made = with_given(called, given)
    values = {
        name: value
        for name, target in given.items()
        if isinstance(target, ValueTarget)
        and not isinstance(value := constant(instances.program, target.node, target.scope), Missing)
    }
    taken = without_branches(made, lambda test: holds(test, values)) if values else made
    if taken is not made:
        _stand_for(taken, given)
    return taken


def with_given(called: FunctionTarget, given: Mapping[str, Target]) -> FunctionTarget:
    """A copy of the function whose parameters stand for what is given."""
    made = FunctionTarget(copy_of(called.node), called.scope)
    _stand_for(made, given)
    return made


def _stand_for(made: FunctionTarget, given: Mapping[str, Target]) -> None:
    for name, target in given.items():
        made.body.bindings[name] = [standing_for(made.node, target)]


def _alike(target: Target) -> Hashable:
    """What is the same for all calls that give the same: a constant is, wherever it stands in a file."""
    if isinstance(target, ValueTarget) and isinstance(target.node, ast.Constant):
        return target.scope.path, type(target.node.value), target.node.value
    return target


def _kept_by(instances: Instances, node: ast.expr, scope: Scope) -> Target | None:
    """What an object keeps under a name, which `__init__` or its class gave it (`self.schema`)."""
    owner = instances.of(node.value, scope) if isinstance(node, ast.Attribute) else None
    if not isinstance(owner, ClassTarget) or not isinstance(node, ast.Attribute):
        return None
    return instances.attribute(owner, node.attr)


def _keys(function: FunctionTarget) -> frozenset[str]:
    """The parameters that name what is taken of something, or the class or function that is called."""
    names = {node.arg for node, _ in parameters(function.node)}
    names |= {each.arg for each in (function.node.args.vararg, function.node.args.kwarg) if each is not None}
    found: set[str] = set()
    for node in nodes_of(function.node):
        match node:
            case ast.Subscript(slice=ast.Name(id=name), ctx=ast.Load()):
                found.add(name)
            case ast.Compare(left=ast.Name(id=name), ops=[ast.In() | ast.NotIn()]):
                found.add(name)
            case ast.Call(func=ast.Attribute(attr=taking), args=[ast.Name(id=name), *_]) if taking in _TAKING:
                found.add(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=making)) if making in _MAKING:
                found.add(name)
            case ast.Call(func=ast.Name(id=name)):
                found.add(name)
            case ast.For(iter=iterable) | ast.comprehension(iter=iterable):
                found |= {part.id for part in nodes_of(iterable) if isinstance(part, ast.Name)}
        if isinstance(node, ast.Call) and last_name(node.func) in _CHECKING:
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            found |= {each.id for each in given if isinstance(each, ast.Name)}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _LOADING:
            found |= {node.func.value.id} if isinstance(node.func.value, ast.Name) else set()
    return frozenset((found & names) | _switches(function))


def _switches(function: FunctionTarget) -> set[str]:
    """The parameters by which a call says what is checked: `partial=False`, asked for in an `if`.

    One without a default is such a parameter where nothing else is done with it.
    """
    defaults = {node.arg: default for node, default in parameters(function.node)}
    flags = {name for name, default in defaults.items() if default is None or _is_flag(default)}
    tests = [node.test for node in nodes_of(function.node) if isinstance(node, ast.If)] if flags else []
    if not any(isinstance(node, Function) for node in nodes_of(function.node) if node is not function.node):
        # What a decorator is told, the function within asks: that is told by what the call of the decorator gives.
        tests = [each for test in tests for each in (test.values if isinstance(test, ast.BoolOp) else [test])]
    plain = [test.operand if isinstance(test, ast.UnaryOp) else test for test in tests]
    asked = Counter(test.id for test in plain if isinstance(test, ast.Name) and test.id in flags)
    used = (
        Counter(node.id for node in nodes_of(function.node) if isinstance(node, ast.Name)) if asked else asked
    )
    return {name for name, times in asked.items() if defaults[name] is not None or used[name] == times}


def _is_flag(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)
