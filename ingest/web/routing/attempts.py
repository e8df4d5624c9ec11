"""Reading one route: where crossfact itself fails on it, that route is unknown, and all others are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from graph.facts import Location, Unknown
from graph.faults import Attempt
from ingest.web.records.operations import Operation


def attempted(
    read: Callable[[], Iterable[Operation]], place: Location, unknown: list[Unknown]
) -> list[Operation]:
    """The operations of the route at `place`, as far as `read` comes; where it fails, `unknown` is told."""
    found: list[Operation] = []
    with Attempt() as attempt:
        found.extend(read())
    if attempt.failure:
        unknown.append(Unknown("route", "path", place.path, place.line, attempt.failure))
    return found
