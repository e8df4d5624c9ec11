"""What happened to facts between two revisions of a store: added, removed, changed; a mere move of lines is none."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from graph.facts import Fact, Json, Kind
from graph.store.store import Store

_LINES = frozenset({"line", "lines", "end_line", "x-line", "x-path"})
_ABSENT = object()


class AspectChange(msgspec.Struct, frozen=True):
    """One aspect, named by its dotted place, with its value before and after; `None` where it was or is absent."""

    aspect: str
    before: Json
    after: Json


class Changes(msgspec.Struct, frozen=True):
    """The facts that one revision has and the other has not, by id, and those that say something else."""

    added: tuple[Fact, ...]
    removed: tuple[Fact, ...]
    changed: tuple[tuple[Fact, Fact], ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def changes(store: Store, older: int, newer: int) -> Changes:
    """What happened to the facts between two revisions, in the order of ids; commits of the history are left out."""
    before = {fact.id: fact for fact in store.at(older).lost(newer) if fact.kind is not Kind.COMMIT}
    after = {fact.id: fact for fact in store.at(newer).lost(older) if fact.kind is not Kind.COMMIT}
    return Changes(
        added=tuple(fact for id_, fact in sorted(after.items()) if id_ not in before),
        removed=tuple(fact for id_, fact in sorted(before.items()) if id_ not in after),
        changed=tuple(
            (fact, after[id_])
            for id_, fact in sorted(before.items())
            if id_ in after and any(differences(fact, after[id_]))
        ),
    )


def differences(before: Fact, after: Fact) -> Iterator[AspectChange]:
    """The aspects in which two facts differ, lines left out, in the order of their places; a new file is `source`."""
    if before.source.path != after.source.path:
        yield AspectChange("source", before.source.path, after.source.path)
    yield from _differences("", _placeless(before.aspects), _placeless(after.aspects))


def said(fact: Fact) -> bytes:
    """What a fact says as JSON, the same wherever its lines stand."""
    return msgspec.json.encode(_placeless(fact.aspects), order="deterministic")


def _differences(place: str, before: Json, after: Json) -> Iterator[AspectChange]:
    if isinstance(before, dict) and isinstance(after, dict):
        for name in sorted({*before, *after}):
            below = f"{place}.{name}" if place else name
            yield from _differences(below, before.get(name, _ABSENT), after.get(name, _ABSENT))
        return
    before, after = (None if value is _ABSENT else value for value in (before, after))
    # Python holds 1, 1.0 and true for equal; their JSON is not.
    if msgspec.json.encode(before, order="deterministic") != msgspec.json.encode(
        after, order="deterministic"
    ):
        yield AspectChange(place, before, after)


def _placeless(value: Json) -> Json:
    """A value without the lines at which its parts stand: keys that name one, and last members of rows."""
    if isinstance(value, dict):
        return {name: _placeless(part) for name, part in value.items() if name not in _LINES}
    if isinstance(value, list):
        return [_placeless(part[:-1] if _is_row(part) else part) for part in value]
    return value


def _is_row(part: Json) -> bool:
    return isinstance(part, list) and len(part) > 1 and type(part[-1]) is int
