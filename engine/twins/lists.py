"""Which of the things that a twin keeps a list shows: those that it is narrowed to, and of these a part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.twins.asked import typed
from engine.twins.mutation import Mutation
from engine.twins.telling import default_of
from graph.facts import Json
from planner.contracts.filters import told_filter
from planner.contracts.lists import SHOWING, first_page, limit_of, narrowed_field, offset_of, page_of
from planner.contracts.operations import Operation
from planner.contracts.sorting import is_sorted_down, sorter_of


def is_listed(operation: Operation, thing: Any) -> bool:
    """Whether a list shows a thing that stands as this one does."""
    lists, hides = operation.lists, operation.hides
    is_shown = lists is None or thing.get(lists.field) == lists.value
    return is_shown and (hides is None or thing.get(hides.field) != hides.value)


def narrowed(
    operation: Operation, things: list[Any], query: Mapping[str, Any], fields: Mapping[str, Json]
) -> list[Any]:
    """The things that have the values which are asked for; `fields` are those that things are made of."""
    for member in (each for each in operation.parameters if each.name.lower() not in SHOWING):
        told = told_filter(member, fields, fields)
        if told is not None and member.name in query:
            wanted = typed(member, query[member.name])
            things = [each for each in things if told.lets_through(each.get(told.field), wanted)]
            continue
        field = narrowed_field(member, fields) or member.name
        is_asked = member.location == "query" and member.name in query
        if is_asked and any(field in each for each in things):
            wanted = typed(member, query[member.name])
            things = [each for each in things if _has(each.get(field), wanted)]
    return things


def sorted_as_asked(operation: Operation, things: list[Any], query: Mapping[str, Any]) -> list[Any]:
    """The things in the order that is asked for, where a parameter names a field that all of them have."""
    member = sorter_of(operation)
    field = str(query.get(member.name, "")).lstrip("+-") if member is not None else ""
    if (
        member is None
        or not things
        or not all(isinstance(each.get(field), str | int | float) for each in things)
    ):
        return things
    return sorted(things, key=lambda each: each[field], reverse=is_sorted_down(query, member, operation))


def part_of(
    operation: Operation, things: list[Any], query: Mapping[str, Any], told: Mutation | None
) -> list[Any]:
    """The things from the offset, or the page, up to the limit, each where it is asked for or has a default."""
    kind = told.kind if told is not None and told.operation == operation.key else ""
    first: int | None = 0
    most: int | None = None
    for member, is_limit in ((offset_of(operation), False), (limit_of(operation), True)):
        if member is None or (is_limit and kind == "unlimited"):
            continue
        value = query.get(member.name, default_of(operation, member.place, member.schema, told))
        if isinstance(value, int | str) and str(value).isdigit():
            first, most = (first, int(value)) if is_limit else (int(value), most)
    page = page_of(operation)
    asked = query.get(page.name) if page is not None and offset_of(operation) is None else None
    if page is not None and most is not None and str(asked).isdigit():
        first = max(0, int(str(asked)) - first_page(page)) * most
    return things[0 if kind == "unpaged" else first :][:most]


def _has(value: Any, wanted: Any) -> bool:
    """Whether a value is the one that is wanted, or a list that has it."""
    return (
        wanted in value if isinstance(value, list) and not isinstance(wanted, list) else bool(value == wanted)
    )
