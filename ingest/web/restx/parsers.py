"""Flask-RESTX's request parsers: the arguments that are added to each, as parameters and bodies."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property

from graph.facts import Json
from graph.schema_algebra import Schema, unknown
from graph.schemas import is_unknown, normalise
from ingest.web.constants.constants import Missing, constant, text_of
from ingest.web.marshmallow.validators import choices
from ingest.web.program.calls import argument, has_stars
from ingest.web.program.functions import own_statements
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.restx.arguments import Argument
from ingest.web.restx.fields import ROOTS
from ingest.web.restx.own_methods import calls_on, chosen_of
from ingest.web.routing.made_views import as_called
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances, returned

_CHANGES = frozenset({"add_argument", "remove_argument", "replace_argument"})
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
        usual = "either" if isinstance(called, External) and called.root == "flask_restful" else "values"
        found: list[Argument] | None = []
        if isinstance(called, FunctionTarget):
            found = self._made(as_called(self.program, called, call, scope), depth)
        elif isinstance(call.func, ast.Attribute) and call.func.attr == "copy":
            found = self.arguments(call.func.value, scope, depth + 1)
        elif not _makes_parser(called) and not self._is_own(call.func, scope):
            return None
        for change, place in self._changes.get(call, []):
            found = self._changed(found, change, place, usual)
        return found

    def _made(self, called: FunctionTarget, depth: int) -> list[Argument] | None:
        """The arguments of the parser that a function makes as it is called: of what it keeps under the name that it
        gives back, as its tests choose that, and of what it adds."""
        values = returned(called)
        if len(values) != 1 or not isinstance(called.node, Function):
            return None
        value, scope = values[0]
        if not isinstance(value, ast.Name) or value.id not in scope.bindings:
            return self.arguments(value, scope, depth + 1)
        target = self.program.resolve(value, scope)
        made = target.node if isinstance(target, ValueTarget) else None
        chosen = chosen_of(self.program, made, scope) if made is not None else None
        changes = calls_on(self.program, called.node.body, value.id, scope) if chosen is not None else None
        found = self.arguments(chosen, scope, depth + 1) if changes is not None else None
        for change in changes or ():
            assert isinstance(change.func, ast.Attribute), "changes are methods"
            found = self._changed(found, change, scope, "values") if change.func.attr in _CHANGES else found
        return found

    def kept_arguments(
        self, owner: ClassTarget, name: str, functions: Iterable[FunctionTarget]
    ) -> list[Argument] | None:
        """The arguments of the parser that objects of a class keep under a name, as `__init__` makes it, and with what
        these functions add to it; None where that cannot be read."""
        member = self.program.class_member(owner, name)
        held = member if isinstance(member, ValueTarget) and member.node is not None else None
        found = self.arguments(held.node, held.scope) if held is not None else None
        usual = "either" if held is not None and self._is_restful(held.node, held.scope) else "values"
        for function in (*made_by(self.program, owner), *functions):
            for part in own_statements(function.node.body if isinstance(function.node.body, list) else []):
                match part:
                    case ast.Assign(
                        targets=[ast.Attribute(value=ast.Name(id="self"), attr=kept)], value=value
                    ):
                        if kept == name:
                            found = self.arguments(value, function.body)
                            usual = "either" if self._is_restful(value, function.body) else "values"
                    case ast.Expr(value=ast.Call(func=ast.Attribute(value=changed, attr=change)) as call):
                        if change in _CHANGES and _kept_name(changed) == name:
                            found = self._changed(found, call, function.body, usual)
        return found

    def _is_own(self, function: ast.expr, scope: Scope) -> bool:
        """Whether a method of the project's own API makes a parser of it: `self.parser()`."""
        if not isinstance(function, ast.Attribute) or function.attr != "parser":
            return False
        owner = self.instances.of(function.value, scope)
        return isinstance(owner, ClassTarget) and self.program.is_a(owner, ROOTS, {"Api", "Namespace"})

    def _is_restful(self, node: ast.expr | None, scope: Scope) -> bool:
        made = self._maker(node, scope)
        target = self.program.resolve(made[0].func, made[1]) if made is not None else None
        return isinstance(target, External) and target.root == "flask_restful"

    def _changed(
        self, found: list[Argument] | None, call: ast.Call, scope: Scope, usual: str
    ) -> list[Argument] | None:
        assert isinstance(call.func, ast.Attribute), "changes are methods"
        name = text_of(self.program, argument(call, 0, "name"), scope)
        if found is None or name is None or has_stars(call):
            return None
        kept = [argument for argument in found if argument.name != name]
        if call.func.attr == "remove_argument":
            return kept
        made = self._argument(name, call, scope, usual)
        return None if made is None else [*kept, made]

    def _argument(self, name: str, call: ast.Call, scope: Scope, usual: str) -> Argument | None:
        written = argument(call, 6, "location")
        location = self._location(written, scope) if written is not None else usual
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
        written = argument(call, 5, "type")
        schema = self._type(written, scope)
        if written is None and location == "either":
            schema = unknown("any value is made a text")
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


def made_by(program: Program, owner: ClassTarget) -> list[FunctionTarget]:
    """Each `__init__` of a class and of those above it, the uppermost first."""
    above = [each for each in reversed(program.ancestry(owner)) if isinstance(each, ClassTarget)]
    found = [each.body.find("__init__", None) for each in above if "__init__" in each.body.bindings]
    return [FunctionTarget(b.node, scope) for scope, b in filter(None, found) if isinstance(b.node, Function)]


def _kept_name(node: ast.expr) -> str:
    """The name under which `self` keeps something; empty for any other expression."""
    of_self = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    return node.attr if of_self and isinstance(node, ast.Attribute) else ""


def is_tried(call: ast.Call, function: FunctionTarget) -> bool:
    """Whether a function goes on where a call refuses the request."""
    tries = (node for node in ast.walk(function.node) if isinstance(node, ast.Try) and node.handlers)
    return any(call is part for each in tries for statement in each.body for part in ast.walk(statement))


def _makes_parser(target: object) -> bool:
    return (
        isinstance(target, External) and target.root in ROOTS and target.name in ("RequestParser", "parser")
    )
