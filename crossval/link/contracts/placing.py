"""Routes of the code whose paths begin with what cannot be known: a prefix out of settings, a router that something
unseen includes. Where a contract has most of them under one prefix, that is the prefix."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from crossval.compare.http import Operation

_PARAMETER = re.compile(r"\{[^}]*\}")
_FEW = 3
Route = tuple[str, tuple[str, ...]]


class Placed(msgspec.Struct, frozen=True):
    """The operations whose paths are known now, and the places whose doubts of routes are settled by that."""

    operations: list[Operation] = []
    settled: frozenset[str] = frozenset()


def route_of(method: str, path: str) -> Route:
    """Method and path segments; the names of path parameters and a slash at the end make no difference."""
    plain = _PARAMETER.sub("{}", path).strip("/")
    return method.upper(), tuple(plain.split("/")) if plain else ()


def own_route(operation: Operation) -> Route:
    """The route of an operation, see `route_of`."""
    return route_of(operation.method, operation.path)


def is_telling(segments: Iterable[str]) -> bool:
    """Whether segments of a path tell more than that there are parameters."""
    return any("{}" not in segment for segment in segments)


def place(hidden: list[Operation], promised: Iterable[Route], served: Iterable[Route]) -> Placed:
    """Finds the prefixes of operations that have none, by the routes of contracts that no other operation answers."""
    free = set(promised) - set(served)
    groups: dict[str, list[Operation]] = {}
    for operation in hidden:
        groups.setdefault(_under(operation), []).append(operation)
    found: list[Operation] = []
    doubted: dict[str, bool] = {}
    for under, operations in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])):
        prefix = _prefix({_rest(operation) for operation in operations}, free)
        for operation in operations:
            for doubt in _doubts(operation):
                doubted[doubt] = doubted.get(doubt, True) and prefix is not None
        if prefix is not None:
            found += [_with_path(operation, prefix, under) for operation in operations]
            free -= {(method, prefix + rest) for method, rest in map(_rest, operations)}
    return Placed(found, frozenset(doubt for doubt, settled in doubted.items() if settled))


def _prefix(routes: set[Route], free: set[Route]) -> tuple[str, ...] | None:
    """The one prefix under which a contract has at least half of the routes, or which explains at least half of what
    nothing else in the code answers; None where that could be another one."""
    wanted: dict[Route, set[tuple[str, ...]]] = {}
    for method, segments in free:
        for start in range(len(segments) + 1):
            if "{}" in segments[:start]:
                break
            wanted.setdefault((method, segments[start:]), set()).add(segments[:start])
    counts: Counter[tuple[str, ...]] = Counter()
    telling: Counter[tuple[str, ...]] = Counter()
    for route in routes:
        counts.update(wanted.get(route, ()))
        if is_telling(route[1]):
            telling.update(wanted.get(route, ()))
    best = counts.most_common(2)
    if not best or (len(best) > 1 and best[0][1] == best[1][1]):
        return None
    prefix, count = best[0]
    told = telling[prefix] >= min(2, len(routes)) or (telling[prefix] == 1 and 1 < count == len(routes))
    alike = count == len(routes) >= _FEW
    explains = 2 * count >= len(free) and telling[prefix] >= _FEW
    return prefix if explains or (2 * count >= len(routes) and (told or alike)) else None


def _under(operation: Operation) -> str:
    return str(operation.fact.aspects["under"])


def _doubts(operation: Operation) -> list[str]:
    written = operation.fact.aspects.get("doubts")
    return [str(each) for each in written] if isinstance(written, list) else []


def _rest(operation: Operation) -> Route:
    return route_of(operation.method, operation.path.removeprefix(_under(operation)))


def _with_path(operation: Operation, prefix: tuple[str, ...], under: str) -> Operation:
    rest = operation.path.removeprefix(under)
    path = "/" + "/".join([*prefix, *([rest.lstrip("/")] if rest.strip("/") else [])])
    aspects: Mapping[str, object] = {**operation.fact.aspects, "path": path}
    return msgspec.structs.replace(operation, fact=msgspec.structs.replace(operation.fact, aspects=aspects))
