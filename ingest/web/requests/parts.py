"""One part of a Flask request, and how it is told from others."""

from __future__ import annotations

import ast
from typing import Final

import msgspec
from msgspec.structs import replace

from graph.schema_algebra import Schema
from ingest.web.constants.constants import MISSING, Constant
from ingest.web.syntax.bindings import Binding
from ingest.web.syntax.walks import is_within

BODIES: Final = frozenset({"json", "form"})
"""The places of a request that are a body."""


class Part(msgspec.Struct, frozen=True):
    """One part of a request: a value by its name, or all of a place where the name is empty.

    `type` is the JSON type that it was converted to or must have; `given` tells that leaving it out fails or has a
    default, so that what the handler sees is never null; `filled` that something unknown stands for what is left out;
    `form` is the format that it must have to be converted.
    """

    place: str
    name: str = ""
    type: str = ""
    default: Constant = MISSING
    given: bool = False
    filled: bool = False
    form: str = ""

    @property
    def is_number(self) -> bool:
        """Whether it was converted to a number or must be one."""
        return self.type in ("integer", "number")

    @property
    def is_converted(self) -> bool:
        """Whether it was converted to a number, or to what has a form of its own, as days and UUIDs have."""
        return bool(self.form) or self.is_number

    @property
    def key(self) -> str:
        """`query.limit`; headers in lower case, with `-` for the `_` that WSGI does not tell apart from it."""
        return f"{self.place}.{self.name.lower().replace('_', '-') if self.place == 'header' else self.name}"


def before(node: ast.Name, bindings: list[Binding]) -> list[Binding]:
    """What a name is bound to before it is bound again below, or with itself where it stands: `key = UUID(key)`."""
    line = getattr(node, "lineno", None)
    for number, binding in enumerate(bindings):
        if number == 0 or binding.value is None or line is None:
            continue
        if binding.line > line or is_within(node, binding.value):
            return bindings[:number]
    return bindings


def instead(part: Part, stands: list[Constant]) -> Part:
    """A value that a helper takes, with what the helper gives where it is missing."""
    if not stands:
        return part
    only = stands[0] if len(stands) == 1 and stands[0] is not None else MISSING
    return replace(part, default=only, given=None not in stands)


def is_nothing(node: ast.expr | None) -> bool:
    """Whether an expression stands for no body at all: `None` or `{}`."""
    return (isinstance(node, ast.Constant) and node.value is None) or (
        isinstance(node, ast.Dict) and not node.keys
    )


def are_bodies(*parts: Part) -> bool:
    """Whether each is all of a body."""
    return all(not part.name and part.place in BODIES for part in parts)


def put_in(call: ast.AST | None, name: str = "") -> ast.expr | None:
    """What `data.update(…)` puts into the object of this name, or of any; None for any other call."""
    match call:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=owner), attr="update"), args=[given], keywords=[]
        ) if name in ("", owner):
            return given
    return None


def merged(held: Part | None, more: list[Part]) -> Part | None:
    """All of the body, where an object holds one form of it and is given others; None where it holds none."""
    if not more:
        return held
    places = {part.place for part in (*more, *([held] if held is not None else []))}
    return Part(places.pop()) if len(places) == 1 else Part("json")


def plain(place: str) -> str:
    """The type of a value as it comes from this place: all but JSON is text."""
    return "" if place == "json" else "string"


def converted(schema: Schema, part: Part) -> Schema:
    """The schema of a text that is turned into what the part says."""
    return {**schema, "format": part.form} if part.form else numbered(schema, part.type)


def numbered(schema: Schema, kind: str) -> Schema:
    """The schema of a text that is turned into a number."""
    default = schema.get("default")
    if isinstance(default, str):
        try:
            return {**schema, "type": kind, "default": int(default) if kind == "integer" else float(default)}
        except ValueError:
            return schema
    return {**schema, "type": kind}
