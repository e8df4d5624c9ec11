"""Which operation makes what a field names: a `book_id`, a `book`, the accounts of a transfer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.entrances import is_registration
from planner.contracts.envelopes import unwrapped
from planner.contracts.operations import Operation
from planner.contracts.referring import counts_things
from planner.contracts.resolving import REFERS
from planner.contracts.resources import ACCOUNT, called, collection_of, identity_of, snake, told_anew

_LIMITS = frozenset({"format", "pattern", "enum", "const", "maxLength", "example", "default"})
_TELLING = 6
"""How long a pattern is at least that tells one kind of name from others."""


def maker_of_reference(
    field: str, schema: dict[str, Json], operations: Collection[Operation]
) -> tuple[Operation, str] | None:
    """The operation that makes what a field names, and what identifies it; else None.

    Such a field is called `book_id` or `bookId`, or `first_book_id`; or `book`, where it is a number, a UUID or any
    text as what identifies a book, or any text where paths name books by one (`/books/{isbn}`).
    """
    if schema.get(REFERS):
        told = next((each for each in operations if each.key == schema[REFERS]), None)
        key = identity_of(told, "id") if told is not None else None
        return (told, key) if told is not None and key is not None else None
    if counts_things(field):
        return None
    words = snake(field).split("_")
    has_ending = len(words) > 1 and words[-1] in ("id", "uuid", "slug", "isbn", "code")
    thing = "_".join(words[:-1] if has_ending else words)
    makers = [
        (each, called(collection_of(each.path)))
        for each in operations
        if each.method == "POST" and "{" not in each.path
    ]
    joined = thing.replace("_", "")
    exact = [maker for maker, made in makers if made.replace("_", "") == joined]
    for maker in (*exact, *(maker for maker, made in makers if thing.endswith(f"_{made}"))):
        key = identity_of(maker, field if has_ending and maker in exact else "id")
        if key is not None and (has_ending or _is_kind_as(schema, maker, key, is_exact=maker in exact)):
            return maker, key
        named = _named_in_paths(maker, operations) if maker in exact and not has_ending else None
        if named is not None and _is_free_text(schema):
            return maker, named
    if (
        ACCOUNT.search(f"{thing}_id")
        and not exact
        and (account := _account_of(schema, operations)) is not None
    ):
        return account
    return (
        _identified_so(field, schema, makers)
        or _of_its_pattern(field, schema, operations)
        or (_made_within(field, joined, schema, operations) if has_ending else None)
    )


def _made_within(
    field: str, thing: str, schema: dict[str, Json], operations: Collection[Operation]
) -> tuple[Operation, str] | None:
    """The only operation that makes things of this name within another one: `POST /series/{id}/boats` of a `boatId`."""
    if split_null(schema)[0].get("type") != "integer":
        return None
    makers = [
        each
        for each in operations
        if each.method == "POST"
        and each.path.count("{") == 1
        and called(collection_of(each.path)).replace("_", "") == thing
    ]
    key = identity_of(makers[0], field, as_number=True) if len(makers) == 1 else None
    return (makers[0], key) if key is not None else None


def _identified_so(
    field: str, schema: dict[str, Json], makers: Iterable[tuple[Operation, str]]
) -> tuple[Operation, str] | None:
    """What makes the only things of which a number or UUID of the field's own name is the one that they are told by.

    So the `cod_city` of a sale names what `POST /city` makes, which answers with a `cod_city`.
    """
    plain = split_null(schema)[0]
    if plain.get("type") != "integer" and plain.get("format") != "uuid":
        return None
    found = [
        maker
        for maker, thing in makers
        if thing in snake(field).split("_") and identity_of(maker, "id") == field and not _takes(maker, field)
    ]
    return (found[0], field) if len(found) == 1 else None


def _takes(maker: Operation, field: str) -> bool:
    """Whether an operation is sent a field, which only answers may have."""
    fields = maker.given()
    return field in fields and fields[field].get("readOnly") is not True


def fields_naming(
    maker: Operation, fields: Mapping[str, dict[str, Json]], operations: Collection[Operation]
) -> list[str]:
    """Those of some fields by which things are named that a maker makes."""
    found = ((name, maker_of_reference(name, each, operations)) for name, each in fields.items())
    return [name for name, made in found if made is not None and made[0].key == maker.key]


def _account_of(schema: dict[str, Json], operations: Collection[Operation]) -> tuple[Operation, str] | None:
    """The operation that makes accounts, and what identifies one, where a field's value is of that kind."""
    for maker in filter(is_registration, operations):
        key = identity_of(maker, "id")
        if key is not None and _is_kind_as(schema, maker, key, is_exact=True):
            return maker, key
    return None


def _of_its_pattern(
    field: str, schema: dict[str, Json], operations: Collection[Operation]
) -> tuple[Operation, str] | None:
    """What makes the only things that paths name by texts of the very pattern which a field has, called otherwise.

    So the `source` and `target` of a transfer name accounts, whose paths are `/accounts/{number}`.
    """
    pattern = split_null(schema)[0].get("pattern")
    if not isinstance(pattern, str) or len(pattern) < _TELLING:
        return None
    named = {
        (each.path[: each.path.index(f"/{{{one.name}}}")], one.name)
        for each in operations
        for one in each.parameters
        if one.location == "path"
        and split_null(one.schema)[0].get("pattern") == pattern
        and f"/{{{one.name}}}" in each.path
    }
    found = [(home, name) for home, name in named if "{" not in home and name != field]
    maker = next((each for each in operations if found and each.key == f"POST {found[0][0]}"), None)
    key = identity_of(maker, found[0][1]) if maker is not None and len(found) == 1 else None
    return (maker, key) if maker is not None and key is not None else None


def _named_in_paths(maker: Operation, operations: Iterable[Operation]) -> str | None:
    """The text by which paths name what a maker makes, where it answers with it: `/warehouses/{code}`."""
    place = f"/{collection_of(maker.path)}/{{"
    shown = maker.shown()
    names = {each.path.removeprefix(place).rstrip("}") for each in operations if each.path.startswith(place)}
    found = [each for each in names if split_null(shown.get(each, {}))[0].get("type") == "string"]
    return found[0] if len(found) == 1 else None


def _is_free_text(schema: dict[str, Json]) -> bool:
    """Whether a field takes any text: so it does the name of what is there."""
    plain = split_null(schema)[0]
    return plain.get("type") == "string" and not _LIMITS & {*schema, *plain}


def _is_kind_as(schema: dict[str, Json], maker: Operation, key: str, *, is_exact: bool) -> bool:
    """Whether a field is a whole number, a UUID or a free text, and what identifies a made thing is one too.

    A text has to be given out by the server, and the field to be called as the thing is: whoever takes any text takes
    that one as well.
    """
    shown = unwrapped(maker.success.schema if maker.success else None)[1].get("properties", {})
    field, identity = (split_null(each)[0] for each in (schema, shown.get(key, {})))
    same_number = field.get("type") == identity.get("type") == "integer"
    same_text = field.get("type") == identity.get("type") == "string" and not _LIMITS & {*field, *identity}
    same_format = field.get("format") == identity.get("format") == "uuid"
    return same_number or same_format or (is_exact and same_text and key in told_anew(maker))
