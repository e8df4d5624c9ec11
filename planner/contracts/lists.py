"""How much of a list an answer shows: its limit, its pages, and what it says of the whole."""

from __future__ import annotations

from collections.abc import Mapping

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.operations import Member, Operation
from planner.contracts.resources import singular

OFFSETS = ("offset", "skip")
LIMITS = ("limit", "page_size", "pagesize", "per_page", "perpage", "max_results", "maxresults", "top")
_PAGE = ("page", "page_number", "pagenumber")
_PAGES = frozenset(
    {*OFFSETS, *_PAGE, "size", "cursor", "start", "after", "before", "page_token", "pagetoken"}
)
SHOWING = frozenset(
    {*LIMITS, *_PAGES, "since", "until"}
    | {"sort", "order", "ordering", "order_by", "sort_by", "sort_order", "orderby", "sortby", "direction"}
)
"""Parameters that say how much of an answer is shown, and in which order: a short one looks the same."""
_TOTALS = ("total", "count", "total_count", "totalCount", "total_items", "totalItems")
_TOTAL_HEADERS = frozenset({"x-total-count", "x-total", "total-count", "x-total-items"})
_MANY = 1000


def limit_of(lister: Operation) -> Member | None:
    """The query parameter by which a list is cut, as it is usually called; None where it has none that may be 1."""
    names = {member.name.lower() for member in lister.parameters if member.location == "query"}
    for member in lister.parameters:
        plain, _ = split_null(member.schema)
        name = member.name.lower()
        is_named = member.location == "query" and (name in LIMITS or (name == "size" and "page" in names))
        if is_named and plain.get("type") == "integer" and plain.get("minimum", 1) <= 1:
            return member
    return None


def offset_of(lister: Operation) -> Member | None:
    """The query parameter that says how many of a list are left out before the first, as it is usually called."""
    for member in lister.parameters:
        is_named = member.location == "query" and member.name.lower() in OFFSETS
        if is_named and split_null(member.schema)[0].get("type") == "integer":
            return member
    return None


def page_of(lister: Operation) -> Member | None:
    """The query parameter that says which page of a list is shown, where it is a number."""
    for member in lister.parameters:
        is_named = member.location == "query" and member.name.lower() in _PAGE
        if is_named and split_null(member.schema)[0].get("type") == "integer":
            return member
    return None


def first_page(page: Member) -> int:
    """The number of the first page: the one that is shown where none is asked for, else the least one, else 1."""
    plain = split_null(page.schema)[0]
    told = (page.schema.get("default", plain.get("default")), plain.get("minimum"))
    return next((each for each in told if isinstance(each, int) and not isinstance(each, bool)), 1)


def narrowed_field(member: Member, fields: Mapping[str, Json]) -> str | None:
    """The field that a parameter of a list is called as, or the list of texts of which it names one: `tag`, `tags`."""
    if member.name in fields:
        return member.name
    many = [name for name in fields if singular(name) == member.name and name != member.name]
    plain = split_null(fields[many[0]])[0] if len(many) == 1 else {}
    is_of_texts = split_null(plain.get("items") or {})[0].get("type") == "string"
    return many[0] if plain.get("type") == "array" and is_of_texts else None


def is_paged(lister: Operation) -> bool:
    """Whether a list may show a part of what there is only."""
    names = {member.name.lower() for member in lister.parameters if member.location == "query"}
    return bool(names & (_PAGES | set(LIMITS)))


def most_of(limit: Member) -> int:
    """The largest number that a limit takes, as far as a test needs it."""
    plain = split_null(limit.schema)[0]
    most = plain.get("maximum", plain.get("exclusiveMaximum", _MANY + 1) - 1)
    return min(int(most), _MANY) if isinstance(most, int | float) else _MANY


def total_header_of(lister: Operation) -> str | None:
    """The documented header of a list's answer that says how many there are in all: `X-Total-Count`."""
    headers = lister.success.headers if lister.success is not None else {}
    for name, header in headers.items():
        kind = split_null(header.get("schema") or {})[0].get("type", "integer")
        if name in _TOTAL_HEADERS and kind == "integer":
            return str(header["name"])
    return None


def total_of(lister: Operation) -> str | None:
    """The field of a list's answer that surely says how many there are in all."""
    plain = split_null((lister.success.schema if lister.success is not None else None) or {})[0]
    for name in _TOTALS:
        field = plain.get("properties", {}).get(name, {})
        if name in plain.get("required", ()) and split_null(field)[0].get("type") == "integer":
            return name
    return None
