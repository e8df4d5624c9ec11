"""The names that clients choose for what they make: by which fields of a request, or in the path of a PUT."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.operations import Operation
from planner.contracts.resources import IDENTITIES, called, collection_of, homes_of, identities, maker_of

Place = tuple[str, ...]
"""The names from a body down to a field."""


def named_by_client(
    path: str, name: str, operations: Collection[Operation]
) -> tuple[Operation, Place] | None:
    """The POST that makes what a path's parameter names, and the field of its body that tells the name."""
    place = f"/{{{name}}}"
    own = [path[: path.index(place)].strip("/")] if place in path else []
    others = [each.strip("/") for each in homes_of(path, name, operations)]
    for collections in (own, others):
        makers = (
            (each, found)
            for each in operations
            if each.method == "POST" and each.body is not None and collection_of(each.path) in collections
            if (found := naming_field(each, name)) is not None
        )
        if (first := next(makers, None)) is not None:
            return first
    return None


def is_made(path: str, name: str, operations: Collection[Operation]) -> bool:
    """Whether a POST makes what a path's parameter names, under a name of its own or of its client's."""
    made = maker_of(path, name, operations) or named_by_client(path, name, operations)
    return made is not None


def naming_field(maker: Operation, name: str) -> Place | None:
    """The required field of a body by which a path's parameter names what is made; None where there is none.

    Where all that a body has to carry is one object, it is a field of that.
    """
    plain = split_null(maker.body.schema)[0] if maker.body is not None else {}
    wanted = identities(name, called(collection_of(maker.path)))[: -len(IDENTITIES)]
    required = plain.get("required", ())
    if (found := _named_in(plain, wanted)) is not None:
        return (found,)
    inner = split_null(plain.get("properties", {}).get(required[0], {}))[0] if len(required) == 1 else {}
    within = _named_in(inner, wanted)
    return (required[0], within) if within is not None else None


def _named_in(plain: dict[str, Json], wanted: Iterable[str]) -> str | None:
    kinds = {each: split_null(schema)[0].get("type") for each, schema in plain.get("properties", {}).items()}
    sent = (each for each in wanted if each in plain.get("required", ()))
    return next((each for each in sent if kinds.get(each) in ("string", "integer")), None)


def value_at(body: Json, place: Place) -> Json:
    """What stands at a place of a body; None where it has no such place."""
    for name in place:
        body = body.get(name) if isinstance(body, dict) else None
    return body


def putter_of(path: str, name: str, operations: Collection[Operation]) -> Operation | None:
    """The PUT that makes what a path's parameter names, under a name that its client chooses; else None.

    It says that it may make one (201), or, unlike its own reading, of nothing that it may miss what it changes.
    """
    place = f"/{{{name}}}"
    if place not in path:
        return None
    single = path[: path.index(place) + len(place)]
    own = {each.method: each for each in operations if each.path.rstrip("/") == single}
    putter, reader = own.get("PUT"), own.get("GET")
    if putter is None or putter.success is None or maker_of(path, name, operations) is not None:
        return None
    missing = {"404", "410"}
    statuses = {answer.status for answer in putter.answers}
    may_lack = reader is not None and bool(missing & {answer.status for answer in reader.answers})
    return putter if "201" in statuses or (may_lack and not missing & statuses) else None
