"""What a Flask extension's decorators declare about an operation, in one form for all extensions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Protocol

import msgspec

from graph.facts import Json, Location
from graph.schema_algebra import Schema
from ingest.web.flask.tree import Route
from ingest.web.program.targets import FunctionTarget
from ingest.web.records.operations import Body, Parameter, Response
from ingest.web.schemas.named_schemas import NamedSchema
from ingest.web.syntax.scopes import Scope


class Success(msgspec.Struct, frozen=True):
    """What data that the handler returns is answered with; `content` is None where its form cannot be known.

    `listed` is what a list is answered with, where the same declaration is for one thing and for several; `unnamed`
    tells that nothing declares a form.
    """

    status: str
    place: Location
    content: dict[str, Schema] | None = None
    listed: dict[str, Schema] | None = None
    unnamed: bool = False


class Declared(msgspec.Struct):
    """The declarations of one operation. `complete` is false where one of them could not be read.

    `security` is None where none is declared; `guarded` tells that there may be some all the same. `taken` are the keys
    of parameters that the extension takes by itself. `formless` are media types in which the
    extension documents an answer of its own where the code declares none: what these hold is not compared.
    `responses_given` tells that answers are listed by hand, `silent` that these leave the success out. `plain` tells
    that the extension only takes parts of requests, so that all else is plain Flask's.
    """

    framework: str
    parameters: list[Parameter] = msgspec.field(default_factory=list)
    bodies: list[Body] = msgspec.field(default_factory=list)
    success: Success | None = None
    responses: list[Response] = msgspec.field(default_factory=list)
    security: list[dict[str, list[str]]] | None = None
    security_schemes: dict[str, Json] = msgspec.field(default_factory=dict)
    guarded: bool = False
    plain: bool = False
    formless: frozenset[str] = frozenset()
    deprecated: bool = False
    hidden: bool = False
    responses_given: bool = False
    silent: bool = False
    operation_id: str | None = None
    taken: list[str] = msgspec.field(default_factory=list)
    complete: bool = True
    doubts: list[tuple[Location, str]] = msgspec.field(default_factory=list)

    def framework_answers(
        self, place: Location, *statuses: str, content: dict[str, Schema] | None = None
    ) -> None:
        """Notes statuses that the extension may answer by itself, with what it then answers where that is known."""
        self.responses += [Response(status, "framework", place, content) for status in statuses]


class Decoration(msgspec.Struct, frozen=True):
    """One method of an application, blueprint or namespace that decorates a handler or its class."""

    name: str
    call: ast.Call | None
    node: ast.expr
    scope: Scope


class Extension(Protocol):
    """A reader of one extension's decorators."""

    def declared(
        self, route: Route, handler: FunctionTarget, decorations: list[Decoration]
    ) -> Declared | None:
        """What is declared for a handler on this route; None where the route is not the extension's.

        The decorations are those of the handler, the outermost first, then those of its class.
        """
        ...

    def named(self) -> Iterator[NamedSchema]:
        """The schemas that the declarations refer to."""
        ...
