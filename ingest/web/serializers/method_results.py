"""The texts that methods of a serializer give where no annotation tells of them, by what they return."""

from __future__ import annotations

import ast
from typing import Final

import msgspec

from graph.schema_algebra import Schema, implied, unknown
from graph.schemas import is_unknown
from ingest.web.answers.json_words import TEXT_METHODS
from ingest.web.program.calls import is_static
from ingest.web.program.functions import returned
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.serializers.reading import SerializerReading
from ingest.web.syntax.bindings import Bound, Function, parameters
from ingest.web.syntax.scopes import Scope

_TEXT: Schema = {"type": "string"}
_NULL: Schema = {"type": "null"}
_FREE: Final = frozenset({"null", "format", "enum"})
_OPEN: Final = unknown("the method has no annotation")
_TEXTUAL: Final = TEXT_METHODS | {
    "replace",
    "build_absolute_uri",
    "get_full_name",
    "get_short_name",
    "get_username",
}
"""Methods that give texts, whatever they belong to: Python's own, requests' and users'."""
_MAKERS: Final = frozenset(
    {
        "builtins.str",
        "django.urls.reverse",
        "rest_framework.reverse.reverse",
        "django.utils.formats.date_format",
    }
    | {
        "django.utils.translation.gettext",
        "django.utils.translation.gettext_lazy",
        "django.utils.timesince.timesince",
    }
)
_DEPTH: Final = 8


def given_by(models: SerializerReading, method: FunctionTarget, owner: ClassTarget | None) -> Schema:
    """The schema of the texts that a method of a serializer gives; unknown where it may give anything else.

    What writes contracts calls each such value a text, so that no other one is told.
    """
    reading = _Reading(models, method, owner)
    found = [reading.value(node, scope) for node, scope in returned(method)]
    nothing = isinstance(method.node, Function) and _may_end(method.node.body)
    return reading.agreed([*found, *([_NULL] if nothing else [])])


class _Reading(msgspec.Struct, frozen=True):
    """One method of a serializer that is read."""

    models: SerializerReading
    method: FunctionTarget
    owner: ClassTarget | None

    def agreed(self, found: list[Schema]) -> Schema:
        """The text that several expressions give, with what a contract may say of it or not."""
        if any(map(is_unknown, found)) or all(each == _NULL for each in found):
            return _OPEN
        texts = [each for each in found if each != _NULL]
        if any(each.get("type") not in ("string", ["null", "string"]) for each in texts):
            return _OPEN
        open_ = {word for each in texts for word in each.get("x-implied", ()) if word in _FREE}
        open_ |= {word for each in texts for word in ("format", "enum") if word in each}
        if len(texts) < len(found) or any(each["type"] != "string" for each in texts):
            open_.add("null")
        return implied(dict(_TEXT), *open_) if open_ else dict(_TEXT)

    def value(self, node: ast.expr, scope: Scope, depth: int = 0) -> Schema:
        """The schema of one expression that the method gives or puts together."""
        match node:
            case _ if depth > _DEPTH:
                return _OPEN
            case ast.Constant(value=str()):
                return implied(_TEXT, "enum")
            case ast.JoinedStr():
                return implied(_TEXT, "format")
            case ast.Constant() if is_none(node):
                return _NULL
            case ast.BinOp(left=left, op=ast.Mod() | ast.Add()):
                return self.value(left, scope, depth + 1)
            case ast.IfExp(body=body, orelse=orelse):
                return self._either([body, orelse], scope, depth)
            case ast.BoolOp(op=ast.Or(), values=values):
                return self._either(values, scope, depth)
            case ast.Call(func=ast.Attribute(attr=name)) if name in _TEXTUAL or _is_display(name):
                return implied(_TEXT, "format", "enum")
            case ast.Call(func=function):
                made = self.program.resolve(function, scope)
                known = isinstance(made, External) and made.dotted in _MAKERS
                return implied(_TEXT, "format", "enum") if known else _OPEN
            case ast.Attribute():
                path = _path_from(node, _given(self.method))
                return self.models.attribute(self.owner, ".".join(path)) if path else _OPEN
            case ast.Name(id=name):
                bound = scope.bindings.get(name, [])
                values = [each.value for each in bound if each.how is Bound.VALUE and each.value is not None]
                whole = bool(values) and len(values) == len(bound)
                return self._either(values, scope, depth) if whole else _OPEN
        return _OPEN

    @property
    def program(self) -> Program:
        """The program around."""
        return self.models.program

    def _either(self, values: list[ast.expr], scope: Scope, depth: int) -> Schema:
        found = [self.value(each, scope, depth + 1) for each in values]
        return _NULL if all(each == _NULL for each in found) else self.agreed(found)


def _may_end(body: list[ast.stmt]) -> bool:
    """Whether statements may be gone through to their end, so that nothing is given."""
    match body[-1]:
        case ast.Return(value=value):
            return value is None
        case ast.Raise():
            return False
        case ast.If(body=first, orelse=second):
            return not second or _may_end(first) or _may_end(second)
        case ast.With(body=inner):
            return _may_end(inner)
        case ast.Try(body=tried, handlers=handlers, orelse=rest, finalbody=last):
            parts = [rest or tried, *(each.body for each in handlers)]
            return any(map(_may_end, parts)) and not (last and not _may_end(last))
    return True


def _given(method: FunctionTarget) -> str:
    """The name under which a method is given the object that it tells of."""
    names = [argument.arg for argument, _ in parameters(method.node)]
    first = 0 if is_static(method) else 1
    return names[first] if len(names) > first else ""


def _path_from(node: ast.expr, name: str) -> list[str]:
    """The attributes that lead from a name: `book.author.name`; none where they begin elsewhere."""
    found: list[str] = []
    while isinstance(node, ast.Attribute):
        found.insert(0, node.attr)
        node = node.value
    return found if isinstance(node, ast.Name) and node.id == name else []


def _is_display(name: str) -> bool:
    """Whether a method is Django's own for the words of a choice: `get_kind_display`."""
    return name.startswith("get_") and name.endswith("_display")
