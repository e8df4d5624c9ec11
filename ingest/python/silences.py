"""Suppression comments in Python files: what they cover there."""

from __future__ import annotations

import msgspec

from graph.facts import Location, Suppression
from ingest.python.module import Module
from ingest.python.scopes import Scope
from ingest.suppressions import scan

_MARK = "crossfact:"


def suppressions(module: Module, text: str) -> list[Suppression]:
    """The suppressions in a file's comments.

    One on a definition's `def`, `class` or decorator line, on the line that closes its parameters, or alone above it,
    covers the whole definition.
    """
    if _MARK not in text:
        return []
    source = module.source
    definitions: dict[int, Location] = {}
    for scope in module.scopes.all[1:]:
        place = source.location(scope.outer, scope.end)
        lines = [*range(place.line, source.line(scope.start) + 1)]
        closing = source.line(_header_end(scope))
        # A line that has a parameter of its own is about that parameter.
        if source.data.startswith(b")", source.line_start(closing) + source.column(scope.start)):
            lines.append(closing)
        for line in lines:
            definitions.setdefault(line, place)
    return [
        msgspec.structs.replace(
            found, first=definitions[found.first].line, last=definitions[found.first].end_line
        )
        if found.first in definitions
        else found
        for found in scan(source.data.decode("utf-8", "replace"), source.path)
        if _is_comment(module, found.line)
    ]


def _header_end(scope: Scope) -> int:
    """Where the line that ends in the colon of a `def` or `class` has its last parameter, base or return type."""
    fields = map(scope.node.child_by_field_name, ("parameters", "return_type", "superclasses"))
    return max((node.end_byte - 1 for node in fields if node is not None), default=scope.start)


def _is_comment(module: Module, line: int) -> bool:
    """Whether the mark on a line stands in a comment, and not in a string."""
    source = module.source
    place = source.data.find(_MARK.encode(), source.line_start(line))
    node = module.root.descendant_for_byte_range(place, place + 1)
    return node is not None and node.type == "comment"
