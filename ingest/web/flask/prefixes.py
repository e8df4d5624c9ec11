"""The prefixes that blueprints are made with and registered under, of which a part may not be known."""

from __future__ import annotations

import ast
import copy

from ingest.web.program.calls import argument, has_stars
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.routing.sites import Event, Site
from ingest.web.routing.unplaced import beginning, unplaced

_PREFIXES = (("apiflask", "APIBlueprint", 7), ("flask_openapi3", "APIView", 0))
"""Classes that take their prefix at another position than Flask's blueprints do."""


class Prefixes:
    """Reads the prefixes of one program, each as `beginning` gives it: what cannot be known, and the text behind it."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def of(self, event: Event, child: Site) -> tuple[str, str] | None:
        """What a blueprint's own part of the path begins with, see `beginning`; None where it is handed over whole."""
        if has_stars(event.call):
            return None
        written = argument(event.call, None, "url_prefix")
        if written is None or is_none(written):
            return self.own(child)
        known = self.own(child)
        if not known[0]:
            written = _named_by_child(written, registered(event), known[1])
        return beginning(self.program, written, event.scope)

    def own(self, site: Site) -> tuple[str, str]:
        """The prefix that a blueprint is made with, see `beginning`."""
        if site.call is None or has_stars(site.call):
            return unplaced(f"{site.scope.path}:{site.line}"), ""
        self.program.saw(site.scope.path)
        made = self.program.resolve(site.call.func, site.scope)
        position = next((at for root, name, at in _PREFIXES if self.program.is_a(made, {root}, {name})), 5)
        if site.kind == "Registry":
            written = argument(site.call, 0, "prefix")
        else:
            written = argument(site.call, position, "url_prefix")
        if written is None or is_none(written):
            return "", ""
        return beginning(self.program, written, site.scope)


def registered(event: Event) -> ast.expr | None:
    """The blueprint that a call registers, as it is written."""
    return argument(event.call, 0, "blueprint", "blp", "api", "api_view")


def _named_by_child(written: ast.expr, node: ast.expr | None, own: str) -> ast.expr:
    """A prefix in which the blueprint's own one may stand (`f"/v1{blueprint.url_prefix}"`)."""
    if node is None or not any(
        isinstance(each, ast.Attribute) and each.attr == "url_prefix" for each in ast.walk(written)
    ):
        return written
    return _OwnPrefix(ast.dump(node), own).visit(copy.deepcopy(written))  # type: ignore[no-any-return]  # visitors are untyped


class _OwnPrefix(ast.NodeTransformer):
    """Puts the prefix of a blueprint where an expression asks the blueprint for it."""

    def __init__(self, blueprint: str, prefix: str) -> None:
        self.blueprint = blueprint
        self.prefix = prefix

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """The prefix instead of `blueprint.url_prefix`."""
        if node.attr != "url_prefix" or ast.dump(node.value) != self.blueprint:
            return node
        return ast.copy_location(ast.Constant(self.prefix), node)
