"""Which functions of the project are handed the whole body of a Flask request, and under which name."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Set

from ingest.web.program.calls import named_arguments, parameter_names
from ingest.web.program.functions import assigned_by
from ingest.web.program.targets import ClassTarget, FunctionTarget, ParameterTarget
from ingest.web.requests.values import RequestValues
from ingest.web.syntax.bindings import Function
from ingest.web.values.specialised import called_by

_ROUNDS = 3


def hand_on(
    values: RequestValues, functions: Iterable[FunctionTarget], wrappers: Set[ast.AST] = frozenset()
) -> dict[ast.Call, FunctionTarget]:
    """Notes the arguments that hold the body (`values.aliases`); the calls that give it, with what they call.

    The first function is the handler, which those of the nodes in `wrappers` call by a name of their own.
    """
    values.aliases.clear()
    values.kept.clear()
    found: dict[ast.Call, FunctionTarget] = {}
    listed = list(functions)
    for _ in range(_ROUNDS):
        before = len(found)
        for function in listed:
            _keep(values, function)
            for call in function.body.calls:
                wrapped = (
                    listed[0] if function.node in wrappers and _is_wrapped(values, call, function) else None
                )
                for called, name, given in _given(values, call, function, wrapped):
                    part = values.of(given, function.body)
                    if part is not None and not part.name:
                        values.aliases[called.node, name] = part
                        found[call] = called
        if len(found) == before:
            break
    return found


def _is_wrapped(values: RequestValues, call: ast.Call, function: FunctionTarget) -> bool:
    """Whether a wrapper calls here what it lies around: what the decorator was given."""
    target = values.program.resolve(call.func, function.body) if isinstance(call.func, ast.Name) else None
    return isinstance(target, ParameterTarget) and target.scope.node is not function.node


def _keep(values: RequestValues, function: FunctionTarget) -> None:
    """Notes under which names an object keeps the body that it is made with (`self.payload = payload`)."""
    node, owner = function.node, function.scope.node
    if isinstance(node, Function) and node.name == "__init__" and isinstance(owner, ast.ClassDef):
        for name, _, value in assigned_by(node):
            part = values.of(value, function.body)
            if part is not None and not part.name:
                values.kept[owner, name] = part


def _given(
    values: RequestValues, call: ast.Call, function: FunctionTarget, wrapped: FunctionTarget | None = None
) -> Iterator[tuple[FunctionTarget, str, ast.expr]]:
    """What a call of the project's function gives: the function, the name of the parameter, and the argument."""
    if (
        not any(
            isinstance(each, ast.Name | ast.Attribute | ast.Call | ast.Await | ast.BoolOp)
            for each in call.args
        )
        and not call.keywords
    ):
        return
    called = wrapped or called_by(values.instances, call, function.body)
    if isinstance(called, ClassTarget):
        made = values.program.class_member(called, "__init__")
        called = made if isinstance(made, FunctionTarget) else None
    if not isinstance(called, FunctionTarget):
        return
    names = parameter_names(called)
    for name, given in named_arguments(call, called):
        if name in names:
            yield called, name, given
