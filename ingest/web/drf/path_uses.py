"""What views of the REST framework compare a parameter of the path with: columns of the rows that they ask for."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Final

import msgspec

from ingest.web.django.tables import ModelClass
from ingest.web.program.calls import has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.serializers.serializers import SerializerModels
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of

_ASKING: Final = frozenset({"filter", "get", "exclude", "aget", "get_or_create", "update_or_create"})
_GIVEN: Final = frozenset({"get_object_or_404", "get_list_or_404", "aget_object_or_404"})
_SAME: Final = frozenset({"exact", "iexact"})
_MOST: Final = 60
"""How many functions are looked at for one parameter."""
Compared = tuple[ModelClass, list[str]]
"""A model, and the names that lead from it to a column."""


def compared(
    program: Program,
    models: SerializerModels,
    view: ClassTarget | None,
    handler: FunctionTarget | None,
    name: str,
) -> list[Compared]:
    """The columns that a view compares a parameter of its path with, in its handler, in its other methods, or in
    functions that one of these gives it to."""
    found: list[Compared] = []
    seen: set[tuple[Function, str]] = set()
    for method, scope in _methods(program, view, handler):
        takes = any(each.arg == name for each in (*method.args.args, *method.args.kwonlyargs))
        found += _within(program, models, method, scope, _Held(name if takes else "", name), seen)
    return found


class _Held(msgspec.Struct, frozen=True):
    """How a function holds the parameter: under a name of its own, or as an entry of what it is given by keywords."""

    name: str
    key: str = ""


def _within(
    program: Program,
    models: SerializerModels,
    function: Function,
    scope: Scope,
    held: _Held,
    seen: set[tuple[Function, str]],
) -> Iterator[Compared]:
    """The columns that a function compares the parameter with, itself or through functions of the project."""
    if (function, held.name) in seen or len(seen) > _MOST:
        return
    seen.add((function, held.name))
    names = _names(function, held)
    for part in nodes_of(function):
        if not isinstance(part, ast.Call):
            continue
        if (asked := _asked(program, models, part, scope)) is not None:
            yield from ((asked, path) for path in _paths(part, names, held.key))
        elif any(_is_parameter(value, names, held.key) for value in _values(part)):
            yield from _beyond(program, models, part, scope, names, held, seen)


def _beyond(
    program: Program,
    models: SerializerModels,
    call: ast.Call,
    scope: Scope,
    names: set[str],
    held: _Held,
    seen: set[tuple[Function, str]],
) -> Iterator[Compared]:
    """What a function of the project compares the parameter with that it is given by a call."""
    called = program.resolve(call.func, scope)
    if not isinstance(called, FunctionTarget) or not isinstance(called.node, Function) or has_stars(call):
        return
    taken = [*called.node.args.posonlyargs, *called.node.args.args]
    given = {each.arg: value for each, value in zip(taken, call.args, strict=False)}
    given |= {each.arg: each.value for each in call.keywords if each.arg is not None}
    for name, value in given.items():
        if _is_parameter(value, names, held.key):
            yield from _within(program, models, called.node, called.body, _Held(name), seen)


def _names(function: Function, held: _Held) -> set[str]:
    """The names by which a function knows the parameter: its own, and those that it binds to it alone."""
    names = {held.name} - {""}
    stored = Counter(
        part.id
        for part in nodes_of(function)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    )
    for part in nodes_of(function):
        match part:
            case ast.Assign(targets=[ast.Name(id=bound)], value=value) if stored[bound] == 1:
                names |= {bound} if _is_parameter(value, names, held.key) else set()
    return names


def _values(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(each.value for each in call.keywords)]


def _methods(
    program: Program, view: ClassTarget | None, handler: FunctionTarget | None
) -> Iterator[tuple[Function, Scope]]:
    if handler is not None and isinstance(handler.node, Function):
        yield handler.node, handler.body
    for owner in program.ancestry(view) if view is not None else []:
        for statement in owner.node.body if isinstance(owner, ClassTarget) else []:
            if isinstance(statement, Function) and (handler is None or statement is not handler.node):
                assert isinstance(owner, ClassTarget)
                yield statement, owner.body.child(statement)


def _asked(program: Program, models: SerializerModels, call: ast.Call, scope: Scope) -> ModelClass | None:
    """The model of the rows that a call asks for by keywords."""
    if not (call.keywords or any(isinstance(each, ast.Call | ast.BinOp) for each in call.args)):
        return None
    if isinstance(call.func, ast.Attribute) and call.func.attr in _ASKING:
        return models.tables.model_of_queryset(call.func.value, scope)
    made = program.resolve(call.func, scope)
    if isinstance(made, External | FunctionTarget) and last_name(call.func) in _GIVEN and call.args:
        first = call.args[0]
        return models.tables.model(first, scope) or models.tables.model_of_queryset(first, scope)
    return None


def _paths(call: ast.Call, names: set[str], key: str) -> Iterator[list[str]]:
    """The names of columns that a call, or a `Q(…)` within it, compares with the parameter."""
    inner = [each for argument in call.args for each in ast.walk(argument) if isinstance(each, ast.Call)]
    for each in (call, *(part for part in inner if last_name(part.func) == "Q")):
        for keyword in each.keywords:
            if keyword.arg is not None and _is_parameter(keyword.value, names, key):
                path = keyword.arg.split("__")
                yield path[:-1] if path[-1] in _SAME else path


def _is_parameter(node: ast.expr, names: set[str], key: str) -> bool:
    """Whether an expression is the parameter: by a name for it, or as an entry of `kwargs`."""
    match node:
        case ast.Name(id=used):
            return used in names
        case ast.Call(func=ast.Name(id="str"), args=[inner], keywords=[]):
            return _is_parameter(inner, names, key)
        case ast.Subscript(value=ast.Name(id="kwargs") | ast.Attribute(attr="kwargs"), slice=asked):
            return isinstance(asked, ast.Constant) and bool(key) and asked.value == key
        case ast.Call(
            func=ast.Attribute(attr="get", value=ast.Name(id="kwargs") | ast.Attribute(attr="kwargs")),
            args=[ast.Constant(value=asked), *_],
        ):
            return bool(key) and asked == key
    return False
