"""Viewsets below viewsets, as routers of drf-extensions register them: `router.register(…).register(…)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ingest.web.constants.constants import constant, text_of
from ingest.web.django.patterns import Pattern, of_regex, of_value
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ValueTarget
from ingest.web.routing.sites import Event, Sites
from ingest.web.syntax.scopes import Scope

_DEPTH = 8
_PARENTS = "parents_query_lookups"


def nested(program: Program, sites: Sites) -> Iterator[tuple[Event, Pattern | None]]:
    """Each registration below another one, with the pattern of what stands above it; None where that is unknown."""
    for module in sites.modules:
        for scope in module.scope.descend():
            for call in scope.calls:
                if not isinstance(call.func, ast.Attribute) or call.func.attr != "register":
                    continue
                written = argument(call, 3, _PARENTS)
                above = _above(program, call, scope) if written is not None else []
                if not above:
                    continue
                outermost, inner = above[-1]
                assert isinstance(outermost.func, ast.Attribute)
                pattern = _around(program, above, constant(program, written, scope))
                for site in sites.of(outermost.func.value, inner):
                    yield Event(site, "register", call, scope), pattern


def _above(program: Program, call: ast.Call, scope: Scope) -> list[tuple[ast.Call, Scope]]:
    """The registrations that one is made below of, the nearest first."""
    found: list[tuple[ast.Call, Scope]] = []
    while isinstance(call.func, ast.Attribute) and len(found) < _DEPTH:
        target = program.resolve(call.func.value, scope)
        if not isinstance(target, ValueTarget) or not isinstance(target.node, ast.Call):
            break
        if not (isinstance(target.node.func, ast.Attribute) and target.node.func.attr == "register"):
            break
        call, scope = target.node, target.scope
        found.append((call, scope))
    return found


def _around(program: Program, above: list[tuple[ast.Call, Scope]], lookups: object) -> Pattern | None:
    if not isinstance(lookups, list) or len(lookups) != len(above):
        return None
    whole = Pattern()
    for (call, scope), lookup in zip(reversed(above), lookups, strict=True):
        prefix = text_of(program, argument(call, 0, "prefix"), scope)
        piece = of_regex(prefix) if prefix is not None else None
        if piece is None:
            return None
        one = of_value("parent_lookup_" + str(lookup).replace(".", "__"), None)
        whole = whole.then(piece).then(Pattern("/")).then(one).then(Pattern("/"))
    return whole
