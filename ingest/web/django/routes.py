"""What walking a URLconf yields: the routes, and what is in force where they are listed."""

from __future__ import annotations

import ast

import msgspec

from graph.facts import Location
from ingest.web.django.patterns import Pattern
from ingest.web.routing.sites import Site
from ingest.web.syntax.scopes import Scope


class Around(msgspec.Struct, frozen=True):
    """What is in force where patterns are listed: prefix, files read so far, whether it is there in each run, and the
    namespaces that are open."""

    pattern: Pattern
    document: str
    sources: frozenset[str] = frozenset()
    certain: bool = True
    above: tuple[str, ...] = ()
    skipped: str = ""
    spaces: tuple[str, ...] = ()


class Route(msgspec.Struct, frozen=True):
    """One place of a URLconf: a view, or a router or API (`site`) whose own routes follow; neither where it is outside.

    `below` tells that everything under the path is meant; without view and router, code outside answers the path.
    """

    pattern: Pattern
    place: Location
    around: Around
    view: ast.expr | None = None
    scope: Scope | None = None
    site: Site | None = None
    below: bool = False
