"""What views of the REST framework compare a parameter of the path with: columns of the rows that they ask for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from ingest.web.django.tables import ModelClass
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
Compared = tuple[ModelClass, list[str]]
"""A model, and the names that lead from it to a column."""


def compared(
    program: Program,
    models: SerializerModels,
    view: ClassTarget | None,
    handler: FunctionTarget | None,
    name: str,
) -> list[Compared]:
    """The columns that a view compares a parameter of its path with, in its handler or in its other methods."""
    found: list[Compared] = []
    for method, scope in _methods(program, view, handler):
        takes = any(each.arg == name for each in (*method.args.args, *method.args.kwonlyargs))
        for part in nodes_of(method):
            if isinstance(part, ast.Call) and (asked := _asked(program, models, part, scope)) is not None:
                found += [(asked, path) for path in _paths(part, name, takes)]
    return found


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


def _paths(call: ast.Call, name: str, takes: bool) -> Iterator[list[str]]:
    """The names of columns that a call, or a `Q(…)` within it, compares with the parameter."""
    inner = [each for argument in call.args for each in ast.walk(argument) if isinstance(each, ast.Call)]
    for each in (call, *(part for part in inner if last_name(part.func) == "Q")):
        for keyword in each.keywords:
            if keyword.arg is not None and _is_parameter(keyword.value, name, takes):
                path = keyword.arg.split("__")
                yield path[:-1] if path[-1] in _SAME else path


def _is_parameter(node: ast.expr, name: str, takes: bool) -> bool:
    """Whether an expression is the parameter: by its name, or as an entry of `kwargs`."""
    match node:
        case ast.Name(id=used):
            return takes and used == name
        case ast.Subscript(value=ast.Name(id="kwargs") | ast.Attribute(attr="kwargs"), slice=key):
            return isinstance(key, ast.Constant) and key.value == name
        case ast.Call(
            func=ast.Attribute(attr="get", value=ast.Name(id="kwargs") | ast.Attribute(attr="kwargs")),
            args=[ast.Constant(value=key), *_],
        ):
            return key == name
    return False
