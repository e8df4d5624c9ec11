"""A route of FastAPI's with all that surrounds it, and what it inherits from there."""

from __future__ import annotations

import ast

import msgspec

from ingest.web.constants.constants import constant
from ingest.web.fastapi.surroundings import Application
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import Target
from ingest.web.routing.sites import Event, Site
from ingest.web.syntax.scopes import Scope


class Context(msgspec.Struct, frozen=True):
    """What a route inherits from the routers and applications around it."""

    prefix: str = ""
    tags: tuple[str, ...] | None = ()
    dependencies: tuple[tuple[ast.expr, Scope], ...] = ()
    responses: tuple[tuple[ast.expr, Scope], ...] = ()
    response_class: Target | None = None
    deprecated: bool = False
    in_schema: bool = True
    complete: bool = True
    sources: frozenset[str] = frozenset()
    callbacks: tuple[Site, ...] = ()
    under: str = ""
    """What stands before the prefix and cannot be known (`ingest.web.routing.unplaced`)."""
    doubts: tuple[str, ...] = ()
    """Where it is said that this cannot be known: `app/main.py:12`."""


class Route(msgspec.Struct, frozen=True):
    """One registered route, with all that surrounds it."""

    event: Event
    context: Context
    application: Application
    speaker: Site
    """The application whose own contract speaks of the route: FastAPI's contracts leave out what is mounted."""
    sent: bool = False
    """Whether it describes a request that the application itself sends."""
    outside: bool = False
    """Whether another package has the handler."""


def is_shown(program: Program, call: ast.Call, scope: Scope) -> bool:
    """Whether what a call registers certainly stands in the contract that FastAPI exports."""
    written = argument(call, None, "include_in_schema")
    return written is None or constant(program, written, scope) is True


def within(context: Context) -> Context:
    """What an application of its own inherits where it is mounted: nothing but its place."""
    return Context(prefix=context.prefix, under=context.under, doubts=context.doubts)
