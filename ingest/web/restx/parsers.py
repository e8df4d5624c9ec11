"""Flask-RESTX's request parsers: the arguments that are added to each, as parameters and bodies."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property

import msgspec

from graph.facts import Json, Location
from graph.schema_algebra import Schema, unknown
from graph.schemas import is_unknown, normalise
from ingest.web.constants.constants import Missing, constant, text_of
from ingest.web.marshmallow.validators import choices
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, ValueTarget
from ingest.web.records.operations import Body, Parameter
from ingest.web.restx.fields import ROOTS
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances, returned

_CHANGES = frozenset({"add_argument", "remove_argument", "replace_argument"})
_PLACES = {"args": "query", "values": "query", "headers": "header", "cookies": "cookie", "cookie": "cookie"}
_FORM = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"
_DEPTH = 6
_TYPES: dict[str, Schema] = {
    "builtins.str": {"type": "string"},
    "builtins.int": {"type": "integer"},
    "builtins.float": {"type": "number"},
    "builtins.bool": {"type": "boolean"},
}
_INPUTS: dict[str, Schema] = {
    "boolean": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "date_from_iso8601": {"type": "string", "format": "date"},
    "datetime_from_iso8601": {"type": "string", "format": "date-time"},
    "natural": {"type": "integer", "minimum": 0},
    "positive": {"type": "integer", "exclusiveMinimum": 0},
    "url": {"type": "string", "format": "uri"},
    "URL": {"type": "string", "format": "uri"},
    "email": {"type": "string", "format": "email"},
    "ip": {"type": "string", "format": "ip"},
    "ipv4": {"type": "string", "format": "ipv4"},
    "ipv6": {"type": "string", "format": "ipv6"},
}


class Argument(msgspec.Struct, frozen=True):
    """One argument of a parser; `location` is where it is looked for, `json` and `form` being bodies."""

    name: str
    location: str
    schema: Schema
    required: bool
    place: Location


class Parsers:
    """Reads the parsers of one program, whose arguments may be added in any of these modules."""

    def __init__(self, program: Program, instances: Instances, modules: Iterable[Module]) -> None:
        self.program = program
        self.instances = instances
        self._modules = list(modules)

    def arguments(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> list[Argument] | None:
        """The arguments of the parser that an expression stands for; None where it is none or cannot be read."""
        made = self._maker(node, scope)
        if made is None or depth > _DEPTH:
            return None
        call, scope = made
        called = self.program.resolve(call.func, scope) or self.instances.callee(call.func, scope)
        found: list[Argument] | None = []
        if isinstance(called, FunctionTarget):
            values = returned(called)
            return self.arguments(*values[0], depth + 1) if len(values) == 1 else None
        if isinstance(call.func, ast.Attribute) and call.func.attr == "copy":
            found = self.arguments(call.func.value, scope, depth + 1)
        elif not _makes_parser(called):
            return None
        for change, place in self._changes.get(call, []):
            found = self._changed(found, change, place)
        return found

    def _changed(self, found: list[Argument] | None, call: ast.Call, scope: Scope) -> list[Argument] | None:
        assert isinstance(call.func, ast.Attribute), "changes are methods"
        name = text_of(self.program, argument(call, 0, "name"), scope)
        if found is None or name is None or has_stars(call):
            return None
        kept = [argument for argument in found if argument.name != name]
        if call.func.attr == "remove_argument":
            return kept
        made = self._argument(name, call, scope)
        return None if made is None else [*kept, made]

    def _argument(self, name: str, call: ast.Call, scope: Scope) -> Argument | None:
        written = argument(call, 6, "location")
        location = self._location(written, scope) if written is not None else "values"
        if location is None:
            return None
        required = constant(self.program, argument(call, 3, "required"), scope) is True
        return Argument(
            name, location, self._schema(call, location, scope), required, self.program.place(call, scope)
        )

    def _location(self, node: ast.expr, scope: Scope) -> str | None:
        value = constant(self.program, node, scope)
        if isinstance(value, str):
            return "json" if value == "get_json" else value
        if isinstance(value, list) and value:
            return next((str(v) for v in value if v in ("values", "args")), str(value[0]))
        return None

    def _schema(self, call: ast.Call, location: str, scope: Scope) -> Schema:
        schema = self._type(argument(call, 5, "type"), scope)
        if location == "files":
            schema = {"type": "string", "format": "binary"}
        action = constant(self.program, argument(call, None, "action"), scope)
        listed = argument(call, None, "choices")
        values = choices(self.program, listed, scope) if listed is not None else None
        if listed is not None and values is None:
            return unknown("the choices are not constant")
        if action in ("append", "split"):
            if values is not None:
                return unknown("each of several values is one of the choices")
            schema = normalise({"type": "array", "items": schema})
        elif values is not None and not is_unknown(schema):
            schema = normalise({**schema, "enum": values})
        default = constant(self.program, argument(call, 1, "default"), scope)
        silent = isinstance(default, Missing) or default is None or is_unknown(schema)
        return schema if silent else {**schema, "default": default}

    def _type(self, node: ast.expr | None, scope: Scope) -> Schema:
        if node is None:
            return {"type": "string"}
        target = self.program.resolve(node, scope)
        call: ast.Call | None = None
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
            call, scope = target.node, target.scope
            target = self.program.resolve(call.func, scope)
        if not isinstance(target, External):
            return unknown("the conversion is not known")
        if target.dotted in _TYPES:
            return dict(_TYPES[target.dotted])
        if target.root == "werkzeug" and target.name == "FileStorage":
            return {"type": "string", "format": "binary"}
        if target.root in ROOTS:
            return self._input(target.name, call, scope)
        return unknown("the conversion is not known")

    def _input(self, name: str, call: ast.Call | None, scope: Scope) -> Schema:
        if name in _INPUTS:
            return dict(_INPUTS[name])
        said: dict[str, Json] = {}
        if name == "int_range" and call is not None:
            ends = [
                constant(self.program, argument(call, n, key), scope) for n, key in enumerate(("low", "high"))
            ]
            if not any(isinstance(end, Missing) for end in ends):
                said = {"type": "integer", "minimum": ends[0], "maximum": ends[1]}
        if name == "regex" and call is not None:
            pattern = text_of(self.program, argument(call, 0, "pattern"), scope)
            said = {"type": "string", "pattern": pattern} if pattern is not None else {}
        return normalise(said) if said else unknown("the conversion is not known")

    def _maker(self, node: ast.expr | None, scope: Scope) -> tuple[ast.Call, Scope] | None:
        """The call that makes a parser, below the calls that add to it in one chain."""
        target = self.program.resolve(node, scope)
        if not (isinstance(target, ValueTarget) and isinstance(target.node, ast.Call)):
            return None
        call = target.node
        if isinstance(call.func, ast.Attribute) and call.func.attr in _CHANGES:
            return self._maker(call.func.value, target.scope)
        return call, target.scope

    @cached_property
    def _changes(self) -> dict[ast.Call, list[tuple[ast.Call, Scope]]]:
        found: dict[ast.Call, list[tuple[ast.Call, Scope]]] = {}
        for module in self._modules:
            for scope in module.scope.descend():
                for call in scope.calls:
                    if isinstance(call.func, ast.Attribute) and call.func.attr in _CHANGES:
                        made = self._maker(call.func.value, scope)
                        if made is not None:
                            found.setdefault(made[0], []).append((call, scope))
        return found


def parameters_of(arguments: Iterable[Argument]) -> list[Parameter]:
    """The arguments that are parameters."""
    return [
        Parameter(_PLACES[found.location], found.name, found.required, found.schema, found.place)
        for found in arguments
        if _PLACES.get(found.location, "cookie") != "cookie"
    ]


def cookies_of(arguments: Iterable[Argument]) -> list[str]:
    """The keys of cookies, which Swagger 2 has no place for and RESTX documents as arguments of the query."""
    named = [found.name for found in arguments if _PLACES.get(found.location) == "cookie"]
    return [f"{place}.{name}" for name in named for place in ("cookie", "query")]


def bodies_of(arguments: Iterable[Argument]) -> list[Body]:
    """The bodies that the other arguments are taken from; a form is taken in either of its media types."""
    listed = list(arguments)
    found = []
    json = [each for each in listed if each.location == "json"]
    form = [each for each in listed if each.location in ("form", "files")]
    if json:
        required = True if any(each.required for each in json) else None
        found.append(Body("application/json", required, _object(json), json[0].place))
    if form:
        required = True if any(each.required for each in form) else None
        files = any(each.schema.get("format") == "binary" for each in form)
        if not files:
            found.append(Body(_FORM, required, _object(form), form[0].place))
        found.append(Body(_MULTIPART, required, _object(form), form[0].place, implicit=not files))
    return found


def _object(arguments: list[Argument]) -> Schema:
    properties = {each.name: {**each.schema, "x-line": each.place.line} for each in arguments}
    required = sorted(each.name for each in arguments if each.required)
    whole: Schema = {"type": "object", "properties": properties}
    return normalise({**whole, "required": required} if required else whole)


def _makes_parser(target: object) -> bool:
    return (
        isinstance(target, External) and target.root in ROOTS and target.name in ("RequestParser", "parser")
    )
