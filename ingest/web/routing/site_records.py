"""The records of applications and routers: where one is made, and what is called on it."""

from __future__ import annotations

import ast

import msgspec

from ingest.web.program.targets import ClassTarget, FunctionTarget
from ingest.web.syntax.scopes import Scope


class Site(msgspec.Struct, frozen=True):
    """One application or router: the call that makes it, or the parameter through which it comes in."""

    node: ast.AST
    scope: Scope
    kind: str
    call: ast.Call | None

    @property
    def line(self) -> int:
        """The line on which it is made."""
        return getattr(self.node, "lineno", 1)

    @property
    def webhooks(self) -> Site:
        """The router that an application of FastAPI has for what it sends by itself."""
        return Site(self.node, self.scope, "Webhooks", None)


class Event(msgspec.Struct, frozen=True):
    """One method of a site that is called: as a decorator of `function`, or as a plain call.

    `sources` are further files that say so, where a function of the project registers what it is told.
    """

    site: Site
    method: str
    call: ast.Call
    scope: Scope
    function: FunctionTarget | ClassTarget | None = None
    sources: frozenset[str] = frozenset()
