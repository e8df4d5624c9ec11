"""Filters of the project's own that write down which query parameters they take (`get_schema_operation_parameters`)."""

from __future__ import annotations

import ast
from typing import Any, Final

from graph.facts import Location
from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.constants.constants import MISSING, Missing, constant, text_of
from ingest.web.django.settings import Given
from ingest.web.drf.views import Policies
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.records.operations import Parameter
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope

TELLING: Final = "get_schema_operation_parameters"
_USUAL: Final = {
    "search_param": ("SEARCH_PARAM", "search"),
    "ordering_param": ("ORDERING_PARAM", "ordering"),
}
_FILTER: Final = "filter_queryset"
_CALLER: Final = frozenset({"user", "auth", "method"})
_SETTLED: Final = frozenset({"action", "kwargs", "basename", "detail"})
"""Attributes of a view that say nothing of the query."""
_PLACES: Final = frozenset({"query", "header", "cookie"})


class BackendReader:
    """Reads the filters of one program that tell of their parameters."""

    def __init__(self, program: Program, policies: Policies) -> None:
        self.program = program
        self.policies = policies

    def of(self, backend: ClassTarget, place: Location) -> list[Parameter] | None:
        """The parameters that a filter writes down; None where they cannot all be known."""
        method = self.program.class_member(backend, TELLING)
        return self._told(backend, method, place) if isinstance(method, FunctionTarget) else None

    def _told(self, backend: ClassTarget, method: FunctionTarget, place: Location) -> list[Parameter] | None:
        lists: dict[str, list[Parameter]] = {}
        for statement in method.node.body if isinstance(method.node, Function) else []:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    made = self._list(backend, value, method, lists, place)
                    if made is not None:
                        lists[name] = made
                    else:
                        lists.pop(name, None)
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
                    made = self._list(backend, value, method, lists, place)
                    if name in lists and made is None:
                        return None
                    if name in lists and made is not None:
                        lists[name] = lists[name] + made
                case ast.Return(value=ast.expr() as value):
                    return self._list(backend, value, method, lists, place)
                case ast.If() | ast.For() | ast.Expr():
                    changed = {part.id for part in ast.walk(statement) if isinstance(part, ast.Name)}
                    if changed & lists.keys() or any(isinstance(p, ast.Return) for p in ast.walk(statement)):
                        return None
                case _:
                    return None
        return None

    def _list(
        self,
        backend: ClassTarget,
        node: ast.expr,
        method: FunctionTarget,
        lists: dict[str, list[Parameter]],
        place: Location,
    ) -> list[Parameter] | None:
        match node:
            case ast.Name(id=name):
                return lists.get(name)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                first, second = (self._list(backend, n, method, lists, place) for n in (left, right))
                return None if first is None or second is None else first + second
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                found = [self._parameter(backend, part, method.body, place) for part in parts]
                known = [each for each in found if each is not None]
                return known if len(known) == len(found) else None
            case ast.Call(func=ast.Attribute(attr=attr, value=ast.Call(func=ast.Name(id="super")))):
                return self._above(backend, method, place) if attr == TELLING else None
        return None

    def _above(self, backend: ClassTarget, method: FunctionTarget, place: Location) -> list[Parameter] | None:
        """What the next class that tells of parameters writes down."""
        line = self.program.ancestry(backend)
        owners = [n for n, c in enumerate(line) if isinstance(c, ClassTarget) and c.body is method.scope]
        for base in line[owners[0] + 1 :] if owners else ():
            if isinstance(base, External):
                # The framework's own filters name theirs only where the view says by what.
                return [] if base.name == "BaseFilterBackend" else None
            if base is not None and TELLING in base.body.bindings:
                found = self.program.class_member(base, TELLING)
                return self._told(backend, found, place) if isinstance(found, FunctionTarget) else None
        return None

    def _parameter(
        self, backend: ClassTarget, node: ast.expr, scope: Scope, place: Location
    ) -> Parameter | None:
        if not isinstance(node, ast.Dict):
            return None
        entries = {
            key.value: value
            for key, value in zip(node.keys, node.values, strict=True)
            if isinstance(key, ast.Constant)
        }
        name = self._text(backend, entries.get("name"), scope)
        where = self._text(backend, entries.get("in"), scope)
        if name is None or where not in _PLACES or len(entries) != len(node.keys):
            return None
        required = constant(self.program, entries["required"], scope) if "required" in entries else False
        written = self._value(entries["schema"], scope) if "schema" in entries else MISSING
        schema: Schema = unknown("the schema is not constant")
        if isinstance(written, dict):
            schema = normalise(written)
        return Parameter(where, name, required if isinstance(required, bool) else None, schema, place)

    def _value(self, node: ast.expr, scope: Scope) -> Any:
        """The constant of a schema, without the words that only tell people something."""
        if isinstance(node, ast.Dict):
            found = {}
            for key, value in zip(node.keys, node.values, strict=True):
                word = text_of(self.program, key, scope)
                inner = self._value(value, scope)
                if word == "description":
                    continue
                if word is None or isinstance(inner, Missing):
                    return MISSING
                found[word] = inner
            return found
        return constant(self.program, node, scope)

    def _text(self, backend: ClassTarget, node: ast.expr | None, scope: Scope) -> str | None:
        """A text, also one that the filter has as an attribute."""
        match node:
            case ast.Attribute(attr=name, value=ast.Name(id="self")):
                found = self.program.class_member(backend, name)
                if isinstance(found, ValueTarget):
                    return text_of(self.program, found.node, found.scope)
                if isinstance(found, External) and name in _USUAL:
                    setting, usual = _USUAL[name]
                    given = self.policies.settings.rest(setting)
                    return (
                        text_of(self.program, given.node, given.scope) if isinstance(given, Given) else usual
                    )
                return None
        return text_of(self.program, node, scope)


def asks_nothing(program: Program, backend: ClassTarget) -> bool:
    """Whether a filter of the project's own narrows rows by what it knows of who asks alone, and so takes nothing."""
    for base in program.ancestry(backend):
        if isinstance(base, External):
            return base.root == "rest_framework" and base.name == "BaseFilterBackend"
        if not isinstance(base, ClassTarget):
            return False
        methods = [each for each in base.node.body if isinstance(each, Function)]
        if {each.name for each in methods} - {_FILTER} or not all(map(_knows_callers_alone, methods)):
            return False
    return False


def _knows_callers_alone(method: Function) -> bool:
    """Whether a method looks at nothing of the request but who sends it, and hands neither it nor the view on."""
    whole = [each.arg for each in method.args.args[1:2]], [each.arg for each in method.args.args[3:4]]
    seen = 0
    used = 0
    for part in ast.walk(method):
        match part:
            case ast.Attribute(value=ast.Name(id=name), attr=attr):
                seen += (name in whole[0] and attr in _CALLER) or (name in whole[1] and attr in _SETTLED)
            case ast.Name(id=name):
                used += name in whole[0] or name in whole[1]
    return seen == used
