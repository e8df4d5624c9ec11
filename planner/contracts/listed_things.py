"""Which things only a list identifies, since what makes them does not show it: `POST /loans` answers without an id."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.lists import is_paged, total_of
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import called, identities, identity_of, list_place, snake

_ENDINGS = ("id", "uuid")


class Listed(msgspec.Struct, frozen=True):
    """What makes a thing, the list that shows it, and the field by which it is told from others there.

    `place` is the field of the list's answer that is the list, empty for the whole; `total` the one that says how many
    there are in all, where the list may show a part of them.
    """

    maker: Operation
    lister: Operation
    key: str
    place: str = ""
    total: str = ""


def listed(path: str, name: str, operations: Collection[Operation]) -> Listed | None:
    """What makes what a path's parameter names, and the list that identifies it: `/loans` for `/loans/{id}`."""
    above, is_there, _ = path.partition(f"/{{{name}}}")
    maker = _at("POST", above, operations) if is_there else None
    return None if maker is None else shown_by_list(maker, name, operations)


def listed_reference(field: str, operations: Collection[Operation]) -> Listed | None:
    """What makes what a field such as `project_id` names, and the list that identifies it."""
    thing, _, ending = snake(field).rpartition("_")
    makers = [each for each in operations if each.method == "POST" and "{" not in each.path]
    named = [each for each in makers if called(each.path) == thing] if ending in _ENDINGS else []
    return shown_by_list(named[0], field, operations) if len(named) == 1 else None


def hidden_identity(
    maker: Operation, operations: Collection[Operation]
) -> tuple[str, dict[str, Json]] | None:
    """The field by which a list, and not its maker, identifies what is made, with its schema."""
    below = f"{maker.path.rstrip('/')}/{{"
    names = (
        PARAMETER.findall(f"/{{{each.path.removeprefix(below)}")[:1]
        for each in operations
        if each.path.startswith(below)
    )
    name = next((each for found in names for each in found), "id")
    found = shown_by_list(maker, name, operations)
    return None if found is None else (found.key, _items(found.lister, found.place)[found.key])


def shown_by_list(maker: Operation, name: str, operations: Collection[Operation]) -> Listed | None:
    """The list that shows what identifies a thing as a parameter of this name wants it, where its maker does not.

    None where the list shows a part of all and does not say how many there are.
    """
    if maker.success is None or identity_of(maker, name) is not None:
        return None
    lister = _at("GET", maker.path, operations)
    place = list_place(lister) if lister is not None else None
    if lister is None or place is None:
        return None
    fields, sent = _items(lister, place), {each.name for each in maker.members() if each.location == "body"}
    own = (each for each in identities(name, called(maker.path)) if each in fields and each not in sent)
    key = next((each for each in own if _is_given_out(fields[each])), None)
    total = (total_of(lister) or "") if place else ""
    return (
        None if key is None or (is_paged(lister) and not total) else Listed(maker, lister, key, place, total)
    )


def _is_given_out(schema: dict[str, Json]) -> bool:
    plain = split_null(schema)[0]
    return plain.get("type") in ("integer", "string") and "enum" not in plain


def _items(lister: Operation, place: str) -> dict[str, dict[str, Json]]:
    """The fields of the things that a list shows."""
    plain = split_null((lister.success.schema if lister.success is not None else None) or {})[0]
    if place:
        plain = split_null(plain.get("properties", {}).get(place, {}))[0]
    fields = split_null(plain.get("items") or {})[0].get("properties", {})
    return fields if isinstance(fields, dict) else {}


def _at(method: str, path: str, operations: Collection[Operation]) -> Operation | None:
    return next(
        (each for each in operations if each.method == method and each.path.rstrip("/") == path.rstrip("/")),
        None,
    )
