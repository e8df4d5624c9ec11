"""Which query parameters the views of Django and its REST framework read by hand."""

from __future__ import annotations

import ast
from functools import partial

import msgspec

from graph.schema_algebra import unknown
from ingest.web.drf.query_calls import handed_query
from ingest.web.drf.request_calls import BODY, OTHERS, QUERY, RequestCalls, named
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget
from ingest.web.records.operations import Parameter
from ingest.web.schemas.model_fields import ModelField
from ingest.web.serializers.serializers import SerializerModels
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of


class RequestReading(msgspec.Struct):
    """The parameters that were seen, the keys of those that the view may read elsewhere, whether there can be no
    others, and whether something reads the body that the handler hands its request to."""

    parameters: list[Parameter] = msgspec.field(default_factory=list)
    elsewhere: set[str] = msgspec.field(default_factory=set)
    complete: bool = True
    body: bool = False


def read_requests(
    program: Program, models: SerializerModels, view: ClassTarget | None, handler: FunctionTarget | None
) -> RequestReading:
    """What a handler reads of the request's query; of what its view reads elsewhere (`get_queryset`) only the names are
    told, since not all handlers come by there, and the list is left open where these are not known."""
    reading = RequestReading()
    if handler is not None and isinstance(handler.node, Function):
        _handler(program, models, reading, view, handler, handler.node)
    for owner in program.ancestry(view) if view is not None else []:
        if owner is None:
            reading.complete = False
        for method, names in _readers(program, models, owner) if isinstance(owner, ClassTarget) else []:
            if handler is None or method is not handler.node:
                if names is None and view is not None:
                    told = partial(_told, program, view, method)
                    names = program.remember(("told parameters", view.node, method), told)
                reading.complete = reading.complete and names is not None
                reading.elsewhere |= names or set()
    return reading


def _told(program: Program, view: ClassTarget, method: Function) -> set[str] | None:
    """The names by which a view asks a method of its own for parameters that is told them (`self.param("q")`); None
    where it may read others."""
    asked = [each.arg for each in method.args.args[1:2]]
    for part in nodes_of(method):
        match part:
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as owner, attr="get" | "getlist")):
                written = part.args[0] if part.args else None
            case ast.Subscript(value=ast.Attribute() as owner, slice=written):
                pass
            case ast.Attribute() if _is_reading(part):
                if part.attr not in QUERY:
                    return None
                continue
            case _:
                continue
        if owner.attr in QUERY and not (isinstance(written, ast.Name) and [written.id] == asked):
            return None
    calls = [
        call
        for base in program.ancestry(view)
        if isinstance(base, ClassTarget)
        for call in ast.walk(base.node)
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == method.name
    ]
    given = [call.args[0] if call.args else None for call in calls]
    names = [each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return {f"query.{name}" for name in names} if asked and len(names) == len(calls) else None


def _readers(
    program: Program, models: SerializerModels, owner: ClassTarget
) -> list[tuple[Function, set[str] | None]]:
    """The methods of a class that read something of the request, with the names that they read of its query; None where
    they may read others."""

    def found() -> list[tuple[Function, set[str] | None]]:
        methods = [each for each in owner.node.body if isinstance(each, Function)]
        reading = [each for each in methods if any(_is_reading(part) for part in nodes_of(each))]
        return [(each, _names(program, models, each, owner.body.child(each))) for each in reading]

    return program.remember(("readers of requests", owner.node), found)


def _names(program: Program, models: SerializerModels, method: Function, scope: Scope) -> set[str] | None:
    parts = list(nodes_of(method))
    single = [found for part in parts if (found := named(program, part, scope)) is not None]
    whole = [every for part in parts if (every := _checked(program, models, part, scope)) is not None]
    handed = [asked for part in parts if (asked := handed_query(program, part, scope)) is not None]
    understood = {place for _, place in (*single, *whole)}.union(*(places for _, places in handed))
    known = all(part in understood for part in parts if _is_reading(part))
    taken = {f"query.{field.name}" for fields, _ in whole for field in fields}
    taken = taken.union(*(keys for keys, _ in handed))
    return {key for key, _ in single if key} | taken if known else None


def _checked(
    program: Program, models: SerializerModels, part: ast.AST, scope: Scope
) -> tuple[list[ModelField], ast.AST] | None:
    """The fields of the serializer that a call gives the whole query to, and what it is read from:
    `QuerySerializer(data=request.query_params)`."""
    given = argument(part, None, "data") if isinstance(part, ast.Call) else None
    if not isinstance(part, ast.Call) or not isinstance(given, ast.Attribute) or given.attr not in QUERY:
        return None
    made = program.resolve(part.func, scope)
    if not isinstance(made, ClassTarget) or not models.is_serializer(made):
        return None
    fields = models.fields(made)
    return (fields, given) if fields is not None else None


def _handler(
    program: Program,
    models: SerializerModels,
    reading: RequestReading,
    view: ClassTarget | None,
    handler: FunctionTarget,
    node: ast.FunctionDef | ast.AsyncFunctionDef,
) -> None:
    understood: set[ast.AST] = set()
    calls = RequestCalls(program, view)
    for part in nodes_of(node):
        if (whole := _checked(program, models, part, handler.body)) is not None:
            understood.add(whole[1])
            known = {each.key for each in reading.parameters}
            at = program.place(part, handler.scope)
            taken = [
                Parameter("query", each.name, None, dict(each.schema), at, by_hand=True)
                for each in whole[0]
                if each.schema.get("readOnly") is not True
            ]
            reading.parameters += [each for each in taken if each.key not in known]
        if (handed := handed_query(program, part, handler.body)) is not None:
            reading.elsewhere |= handed[0]
            understood |= handed[1]
        found = named(program, part, handler.body)
        if found is None:
            continue
        key, place = found
        understood.add(place)
        kind, _, name = key.partition(".")
        if kind != "query":
            # Headers and cookies that a handler looks at itself need not be named.
            reading.elsewhere |= {key} if key else set()
            continue
        schema = unknown("the handler reads the text by hand")
        parameter = Parameter("query", name, None, schema, program.place(part, handler.scope), by_hand=True)
        if parameter.key not in {known.key for known in reading.parameters}:
            reading.parameters.append(parameter)
    for part in nodes_of(node):
        if _is_reading(part) and part not in understood:
            reading.complete = False
        elif isinstance(part, ast.Call):
            read = calls.read(part, handler.body, "request")
            reading.elsewhere |= (read or set()) - {BODY}
            reading.body = reading.body or BODY in (read or ())
            reading.complete = reading.complete and read is not None


def _is_reading(part: ast.AST) -> bool:
    return isinstance(part, ast.Attribute) and part.attr in QUERY | OTHERS
