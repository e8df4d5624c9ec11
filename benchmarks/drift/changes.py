"""The records of operators, and what they share: how to expect a finding and how to look into a schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec

from benchmarks.drift.contract import Contract, Operation, Pointer, SchemaPlace, at
from benchmarks.drift.records import Json

Document = dict[str, Json]


class Expectation(msgspec.Struct, frozen=True):
    """Which finding tells of a change: one about any of these subjects, in one of these aspects.

    Subjects are as in reports (`GET /books`, `schema Book`), a base path apart. `segments` must stand one after the
    other in the finding's aspect, and its last segment must be one of `aspects`, where there are any.
    """

    subjects: tuple[str, ...]
    segments: tuple[str, ...] = ()
    aspects: frozenset[str] = frozenset()


class Change(msgspec.Struct, frozen=True):
    """One change that an operator can make: where it is, how to make it in a copy, and what tells of it."""

    place: str
    apply: Callable[[Document], None]
    expected: tuple[Expectation, ...] = ()


class Operator(msgspec.Struct, frozen=True):
    """One named kind of change; `changes` lists all places where it can be made in a contract.

    A neutral one changes nothing that a client could see, so no finding may come of it.
    """

    name: str
    changes: Callable[[Contract], Iterable[Change]]
    neutral: bool = False


def about(operation: Operation, *segments: str, aspects: Iterable[str] = ()) -> tuple[Expectation, ...]:
    """A finding about an operation."""
    return (Expectation((operation.subject,), segments, frozenset(aspects)),)


def about_schema(place: SchemaPlace, *aspects: str, name: str = "") -> tuple[Expectation, ...]:
    """A finding about a schema's place, or about a field `name` within it."""
    segments = (*place.segments, name) if name else place.segments
    uses = () if name or place.segments else place.uses
    told = ((place.subjects, segments), *uses)
    return tuple(Expectation(subjects, where, frozenset(aspects)) for subjects, where in told)


def core(schema: Mapping[str, Json]) -> Pointer:
    """The way from a schema to what it admits besides null, where that is one schema."""
    for keyword in ("anyOf", "oneOf"):
        members = schema.get(keyword)
        if isinstance(members, list):
            rest = [index for index, member in enumerate(members) if member.get("type") != "null"]
            return (keyword, rest[0]) if len(rest) == 1 else ()
    return ()


def core_of(place: SchemaPlace) -> tuple[Pointer, dict[str, Json]]:
    """Where the place's schema besides null stands, and what it is."""
    way = core(place.schema)
    found: dict[str, Json] = at(place.schema, way)
    return (*place.pointer, *way), found


def set_at(pointer: Pointer, value: Json) -> Callable[[Document], None]:
    """The change that puts a value at a pointer."""

    def apply(document: Document) -> None:
        at(document, pointer[:-1])[pointer[-1]] = value

    return apply


def drop_at(pointer: Pointer) -> Callable[[Document], None]:
    """The change that takes away what stands at a pointer."""

    def apply(document: Document) -> None:
        del at(document, pointer[:-1])[pointer[-1]]

    return apply


def renamed_key(mapping: dict[str, Json], old: str, new: str) -> None:
    """Give an entry of a mapping another key, in its place."""
    entries = [(new if key == old else key, value) for key, value in mapping.items()]
    mapping.clear()
    mapping.update(entries)
