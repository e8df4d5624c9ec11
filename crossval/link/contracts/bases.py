"""Below which paths contracts speak of a service: that of their server, where the code answers all of it there."""

from __future__ import annotations

from collections.abc import Iterable

from crossval.compare.http import Operation
from crossval.link.contracts.placing import Route, own_route, route_of


def bases_of(promised: Iterable[Operation], matched: Iterable[Route]) -> frozenset[tuple[str, ...]]:
    """The paths of the servers of all contracts; none where one of them is the root, or where the code answers
    something promised elsewhere."""
    bases = frozenset(
        route_of("GET", str(each.fact.aspects.get("base_path") or ""))[1]
        for each in promised
        if each.fact.aspects.get("in_schema") is not False
    )
    return bases if () not in bases and all(_is_below(route, bases) for route in matched) else frozenset()


def is_beside(operation: Operation, bases: frozenset[tuple[str, ...]]) -> bool:
    """Whether an operation is none that these contracts could speak of: a page of the site beside its API."""
    return bool(bases) and not _is_below(own_route(operation), bases)


def _is_below(route: Route, bases: frozenset[tuple[str, ...]]) -> bool:
    return any(route[1][: len(base)] == base for base in bases)
