"""Operations by the requests that texts write out: `GET /books/7` finds `GET /books/{id}`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from graph.facts import Fact

PARAMETER = re.compile(r"\{[^}]*\}|:\w+|<[^>]*>")
"""A part of a path that takes a value, in any framework's spelling."""


class Requests:
    """Operations by method and path; a path with values in it finds the one with parameters there."""

    def __init__(self, operations: Iterable[Fact]) -> None:
        self._operations: dict[tuple[str, int], list[tuple[Fact, list[str]]]] = {}
        for fact in operations:
            method, route = _route(fact)
            self._operations.setdefault((method, len(route)), []).append((fact, route))
        # The same requests are asked for by each claim of a story.
        self._found: dict[str, Fact | None] = {}

    def find(self, request: str) -> Fact | None:
        """The one operation that answers a request such as `GET /books/7`, or None."""
        if request not in self._found:
            self._found[request] = self._find(request)
        return self._found[request]

    def _find(self, request: str) -> Fact | None:
        method, _, path = request.partition(" ")
        segments = [PARAMETER.sub("{}", own) for own in path.partition("?")[0].strip("/").split("/")]
        found = [
            (route.count("{}"), fact)
            for fact, route in self._operations.get((method, len(segments)), ())
            if all(part in ("{}", own) for own, part in zip(segments, route, strict=True))
        ]
        found.sort(key=lambda each: (each[0], each[1].id))
        if not found or (
            len(found) > 1 and found[0][0] == found[1][0] and found[0][1].key != found[1][1].key
        ):
            return None
        return found[0][1]

    def is_ambiguous(self, request: str) -> bool:
        """Whether a value that is left open in a request (`GET /books/{}`) may make it one of several operations."""
        method, _, path = request.partition(" ")
        segments = path.partition("?")[0].strip("/").split("/")
        fitting = {
            tuple(route)
            for _, route in self._operations.get((method, len(segments)), ())
            if all("{}" in (part, own) or part == own for own, part in zip(segments, route, strict=True))
        }
        return len(fitting) > 1 and "{}" in segments


def _route(fact: Fact) -> tuple[str, list[str]]:
    method, _, path = fact.key.partition(" ")
    return method, PARAMETER.sub("{}", path).strip("/").split("/")
