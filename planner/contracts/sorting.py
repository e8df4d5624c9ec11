"""By which field a parameter of a list sorts it, and which way round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.filters import listed_fields
from planner.contracts.operations import Member, Operation
from planner.contracts.things import Thing

_SORTING = frozenset({"sort", "sort_by", "sortby", "order_by", "orderby", "ordering"})
_DIRECTIONS = frozenset(
    {"order", "direction", "sort_order", "sortorder", "sort_dir", "dir", "sort_direction"}
)
_UP, _DOWN = ("asc", "ascending"), ("desc", "descending")


class Sorting(msgspec.Struct, frozen=True):
    """The parameters with their values by which a list is sorted by a field, the largest first where it is `down`."""

    place: str
    query: dict[str, str]
    field: str
    down: bool


def sorting_of(lister: Operation, thing: Thing) -> Sorting | None:
    """The surest way to sort a list: by a text, or by a number where it is said which way round; None without one."""
    found = sorted(_sortings(lister, thing), key=lambda pair: not pair[0])
    return found[0][1] if found else None


def _sortings(lister: Operation, thing: Thing) -> Iterator[tuple[bool, Sorting]]:
    """The ways to sort a list, each with whether it is by a text: upwards, where nothing else is said."""
    member = sorter_of(lister)
    if member is None:
        return
    direction = next((each for each in lister.parameters if _is_direction(each)), None)
    listed, given = listed_fields(thing), thing.given()
    for value in _choices(member):
        field = value.lstrip("+-")
        plain = split_null(given.get(field, {}))[0]
        is_text = plain.get("type") == "string" and not {"enum", "format"} & set(plain)
        is_number = plain.get("type") in ("integer", "number") and "enum" not in plain
        upwards = (
            next((each for each in _choices(direction) if each.lower() in _UP), None) if direction else None
        )
        is_said = value != field or upwards is not None
        if field not in listed or not (is_text or (is_number and is_said)) or (direction and upwards is None):
            continue
        query = {member.name: value, **({direction.name: upwards} if direction and upwards else {})}
        yield is_text, Sorting(member.place, query, field, value.startswith("-"))


def is_sorted_down(query: Mapping[str, Json], member: Member, lister: Operation) -> bool:
    """Whether a request asks for the largest first, by the value of the parameter itself or by that of another one."""
    asked = [query.get(each.name) for each in lister.parameters if _is_direction(each)]
    return str(query.get(member.name)).startswith("-") or any(str(each).lower() in _DOWN for each in asked)


def sorter_of(lister: Operation) -> Member | None:
    """The parameter of a list that names the field by which it is sorted."""
    return next(filter(_sorts, lister.parameters), None)


def _sorts(member: Member) -> bool:
    return member.location == "query" and member.name.lower() in _SORTING and bool(_choices(member))


def _is_direction(member: Member) -> bool:
    told = {each.lower() for each in _choices(member)}
    return member.location == "query" and member.name.lower() in _DIRECTIONS and bool(told & {*_UP, *_DOWN})


def _choices(member: Member) -> list[str]:
    return [each for each in split_null(member.schema)[0].get("enum", ()) if isinstance(each, str)]
