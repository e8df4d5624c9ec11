"""One argument of a Litestar handler or dependency, and how its default or its annotation describes it."""

from __future__ import annotations

import ast

import msgspec
from msgspec.structs import replace

from graph.facts import Location
from ingest.web.litestar.names import PACKAGE
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape
from ingest.web.program.targets import External
from ingest.web.schemas.facets import Facets, facets_of
from ingest.web.syntax.scopes import Scope


class Argument(msgspec.Struct, frozen=True):
    """One argument of a handler or dependency."""

    name: str
    shape: Shape
    default: ast.expr | None
    scope: Scope
    place: Location

    def facets(self, program: Program) -> Facets:
        """What its annotation and its default say of its values."""
        facets = facets_of(program, self.shape.metadata, self.default, self.scope)
        return replace(facets, default=facets.default if facets.optional else Facets().default)

    def description(self, program: Program, names: frozenset[str]) -> tuple[ast.Call | None, Scope]:
        """The call of one of these names of Litestar that describes it, from its default or from `Annotated`."""
        default, scope = self.default, self.scope
        if isinstance(default, ast.Call) and made_of_litestar(program, default, scope) in names:
            return default, scope
        for node, inner in reversed(self.shape.metadata):
            if isinstance(node, ast.Call) and made_of_litestar(program, node, inner) in names:
                return node, inner
        return None, scope


def made_of_litestar(program: Program, call: ast.Call | None, scope: Scope) -> str:
    """The name of what a call makes, where that is Litestar's own; else empty."""
    target = program.resolve(call.func, scope) if call is not None else None
    return target.name if isinstance(target, External) and target.root in PACKAGE else ""
