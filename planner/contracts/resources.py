"""Which operations belong to one kind of thing: what makes it, reads it, lists it, changes it and removes it."""

from __future__ import annotations

import functools
import keyword
import re
from collections.abc import Collection, Iterable

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.entrances import is_registration
from planner.contracts.envelopes import unwrapped
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER

IDENTITIES = ("id", "uuid", "slug", "key", "code", "name", "number")
"""What a thing is identified by, whatever it is, the likeliest first."""
_COMMON = frozenset({"id", "uuid", "slug", "key", "name", "number", "pk"})
"""What things of many kinds are identified by, so that a field of this name does not tell which kind."""
# What tells how a request went, beside words for people, identifies nothing.
_MESSAGES, _OF_ENVELOPES = frozenset({"message", "msg"}), frozenset({"code", "number"})
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"\w+")
_OTHER = re.compile(r"[^a-z0-9]+")
_LIMITS = frozenset({"format", "pattern", "enum", "const", "maxLength", "example", "default"})
_ACCOUNT, _ACCOUNTS = (
    re.compile(r"^(?:user|account|owner)_(?:id|uuid)$"),
    re.compile(r"(?i)/(?:users?|accounts?)$"),
)
_TELLING = 6
"""How long a pattern is at least that tells one kind of name from others."""
_PUTTING = frozenset({"register", "create", "add", "new", "insert"})
_RESERVED = frozenset({"client", "auth", "response", "created", "removed", "changed", "taken"})


def maker_of(path: str, name: str, operations: Collection[Operation]) -> tuple[Operation, str] | None:
    """The operation that makes what a path's parameter names, and the field of its answer that identifies it.

    It is the one of the collection before the parameter (`POST /devices`, `POST /devices/register`); else the only one
    of a collection of this name within a thing (`POST /tools/{tool_id}/loans` for `/loans/{loan_id}`); else the only
    one that answers with a field of this name which it is not sent: a `job_id`, a `code` (but for a `user_id` the one
    that makes accounts); else the one of the only other collection whose things another path names so
    (`/devices/{device_id}` for `/control/{device_id}`), or the one whose things are called so (`POST /listings` for
    `/favourites/{listing_id}`).
    """
    prefix = _before(path, name)
    makers = [each for each in operations if each.method == "POST"]
    if (found := _of_collection(prefix, name, makers)) is not None:
        return found
    within = [
        (each, key)
        for each in makers
        if _is_within(each.path, prefix) and (key := identity_of(each, name)) is not None
    ]
    if len(within) == 1:
        return within[0]
    is_account = _ACCOUNT.search(snake(name)) is not None or _ACCOUNTS.search(prefix.rstrip("/")) is not None
    for maker in makers if is_account else ():
        if is_registration(maker) and (key := identity_of(maker, name)) is not None:
            return maker, key
    if name.lower() in _COMMON:
        return None
    # An answer that tells of an account tells whose request it was.
    telling = [each for each in makers if "{" not in each.path and name in _told(each) and not is_account]
    if len(telling) == 1:
        return telling[0], name
    elsewhere = [_of_collection(each, name, makers) for each in homes_of(path, name, operations)]
    if len(elsewhere) == 1:
        return elsewhere[0]
    return _called_as_in_path(name, makers) if not elsewhere and not is_account else None


def _called_as_in_path(name: str, makers: Iterable[Operation]) -> tuple[Operation, str] | None:
    """The operation that makes the only things of which a parameter is the id: `PUT /favourites/{listing_id}`."""
    thing, _, ending = snake(name).rpartition("_")
    own = [each for each in makers if "{" not in each.path and called(each.path) == thing]
    key = identity_of(own[0], name) if len(own) == 1 and ending in ("id", "uuid") else None
    return (own[0], key) if key is not None else None


def homes_of(path: str, name: str, operations: Collection[Operation]) -> list[str]:
    """The collections without a parameter whose single things other paths name alike: `/devices` for a `device_id`.

    None for a name that things of many kinds have.
    """
    single = f"/{{{name}}}"
    if name.lower() in _COMMON:
        return []
    ended = (each.path.rstrip("/") for each in operations)
    found = {each.removesuffix(single) for each in ended if each.endswith(single)}
    return sorted(each for each in found - {_before(path, name).rstrip("/")} if "{" not in each)


def _before(path: str, name: str) -> str:
    place = f"/{{{name}}}"
    return path[: path.index(place)] if place in path else path.partition(f"{{{name}}}")[0]


def _of_collection(prefix: str, name: str, makers: Iterable[Operation]) -> tuple[Operation, str] | None:
    """The operation that makes the things of a collection, its own POST first, and what identifies them."""
    wanted = prefix.strip("/")
    own = [each for each in makers if collection_of(each.path) == wanted]
    for maker in sorted(own, key=lambda each: each.path.strip("/") != wanted):
        if (key := identity_of(maker, name)) is not None:
            return maker, key
    return None


@functools.lru_cache(maxsize=8192)
def collection_of(path: str) -> str:
    """The collection into which a POST of this path puts things: `devices` for `/devices/register`, too."""
    whole = path.strip("/")
    above, _, last = whole.rpartition("/")
    outer = above.rpartition("/")[2]
    return above if last.lower() in _PUTTING and singular(outer) != outer else whole


def _is_within(path: str, collection: str) -> bool:
    """Whether a path is that of a collection within a thing, which is called as a collection of its own is."""
    own, _, last = path.strip("/").rpartition("/")
    outer, _, name = collection.strip("/").rpartition("/")
    return last == name != "" and own.endswith("}") and "{" not in outer and own.startswith(outer)


def home_of(maker: Operation, operations: Collection[Operation]) -> str:
    """The path of the collection at which things are found that are made elsewhere; empty where there is none.

    It is `/loans`, where `/loans/{loan_id}` names what `POST /tools/{tool_id}/loans` makes; and that of
    `POST /devices/register` is `/devices`.
    """
    if collection_of(maker.path) != maker.path.strip("/"):
        return f"/{collection_of(maker.path)}"
    for each in operations:
        for name in PARAMETER.findall(each.path):
            prefix = each.path[: each.path.index(f"{{{name}}}")].rstrip("/")
            if _is_within(maker.path, prefix) and maker_of(each.path, name, operations) is not None:
                return prefix
    return ""


def comes_and_goes(path: str, name: str, operations: Iterable[Operation]) -> bool:
    """Whether operations make or remove what a path's parameter names, so that it need not be there.

    A name that tells of what kind the thing is may be that of another path: the `device_id` of `DELETE /devices/…`.
    """
    before, _, _ = path.partition(f"{{{name}}}")
    return any(
        (each.method == "POST" and each.path.rstrip("/") == before.rstrip("/"))
        or (each.method == "DELETE" and each.path.rstrip("/") == f"{before}{{{name}}}")
        or (each.method == "DELETE" and name.lower() not in _COMMON and each.path.endswith(f"/{{{name}}}"))
        for each in operations
    )


def _told(maker: Operation) -> set[str]:
    """The fields that an operation always answers with, and which it does not take from its request."""
    _, shown = unwrapped(maker.success.schema if maker.success else None)
    sent = split_null(maker.body.schema)[0].get("properties", {}) if maker.body is not None else {}
    return {name for name in shown.get("properties", {}) if name in shown.get("required", ())} - set(sent)


def maker_of_reference(
    field: str, schema: dict[str, Json], operations: Collection[Operation]
) -> tuple[Operation, str] | None:
    """The operation that makes what a field names, and what identifies it; else None.

    Such a field is called `book_id` or `bookId`, or `first_book_id`; or `book`, where it is a number, a UUID or any
    text as what identifies a book, or any text where paths name books by one (`/books/{isbn}`).
    """
    words = snake(field).split("_")
    has_ending = len(words) > 1 and words[-1] in ("id", "uuid", "slug", "isbn", "code")
    thing = "_".join(words[:-1] if has_ending else words)
    makers = [
        (each, called(each.path)) for each in operations if each.method == "POST" and "{" not in each.path
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
        _ACCOUNT.search(f"{thing}_id")
        and not exact
        and (account := _account_of(schema, operations)) is not None
    ):
        return account
    return _of_its_pattern(field, schema, operations)


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
    return same_number or same_format or (is_exact and same_text and key in _told(maker))


def identity_of(maker: Operation, name: str) -> str | None:
    """The field of a maker's answer that a path's parameter takes: of its name, however it is written, else an id.

    Where the answer is an envelope, it is a field of what stands in it.
    """
    if maker.success is None or maker.success.schema is None:
        return None
    properties = unwrapped(maker.success.schema)[1].get("properties", {})
    wanted = identities(name, called(maker.path))
    told = set(properties) - (_OF_ENVELOPES if _MESSAGES & set(properties) else set())
    return next((key for key in wanted if key in told and _WORD.fullmatch(key)), None)


def identities(name: str, thing: str) -> tuple[str, ...]:
    """The names that a field may have which a path's parameter takes, the likeliest first."""
    spelled = snake(name)
    tail = spelled.rpartition("_")[2]
    camel = re.sub(r"_(\w)", lambda match: match[1].upper(), spelled)
    return (name, spelled, camel, tail, f"{thing}_{tail}", f"{thing}Id", *IDENTITIES)


def list_place(operation: Operation) -> str | None:
    """The field of an answer that is its list, empty where the whole is one; None where it has none or several."""
    schema = operation.success.schema if operation.success else None
    if schema is None:
        return None
    plain, _ = split_null(schema)
    if plain.get("type") == "array":
        return ""
    lists = [
        name
        for name, each in plain.get("properties", {}).items()
        if split_null(each)[0].get("type") == "array"
        and split_null(split_null(each)[0].get("items", {}))[0].get("type") == "object"
        and name in plain.get("required", ())
    ]
    return lists[0] if len(lists) == 1 and identity_like(plain) is None else None


def identity_like(schema: dict[str, object]) -> str | None:
    """The field by which an object is told from others, None where it has none that is called so."""
    properties = schema.get("properties")
    return next((key for key in IDENTITIES[:4] if isinstance(properties, dict) and key in properties), None)


def snake(name: str) -> str:
    """A name in small letters with underscores: `book_id` for `bookId`."""
    return _CAMEL.sub("_", name).lower()


def called(path: str) -> str:
    """A name for what a collection's path makes: `todo` for `/todos`."""
    words = [part for part in path.strip("/").split("/") if part and not part.startswith("{")]
    name = (
        _OTHER.sub("_", _CAMEL.sub("_", singular(words[-1] if words else "thing")).lower()).strip("_")
        or "thing"
    )
    is_taken = name in _RESERVED or keyword.iskeyword(name) or name[0].isdigit()
    return f"{name}_" if is_taken else name


def singular(word: str) -> str:
    """A noun in the singular, by the rules that most English nouns follow."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")) or (word.endswith("oes") and len(word) > 5):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
