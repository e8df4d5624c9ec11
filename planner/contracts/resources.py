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
from planner.contracts.operations import FACT, Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.spelled_paths import SPELLED

_SLUG = "slug"
IDENTITIES = ("id", "uuid", "slug", "key", "code", "name", "number")
"""What a thing is identified by, whatever it is, the likeliest first."""
_COMMON = frozenset({"id", "uuid", "slug", "key", "name", "number", "pk"})
"""What things of many kinds are identified by, so that a field of this name does not tell which kind."""
# What tells how a request went, beside words for people, identifies nothing.
_MESSAGES, _OF_ENVELOPES = frozenset({"message", "msg"}), frozenset({"code", "number"})
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"\w+")
_OTHER = re.compile(r"[^a-z0-9]+")
ACCOUNT, _ACCOUNTS = (
    re.compile(r"^(?:user|account|owner)_(?:id|uuid)$"),
    re.compile(r"(?i)/(?:users?|accounts?)$"),
)
_ADDING = frozenset({"create", "add", "new", "insert"})
_PUTTING = _ADDING | {"register", "post", "save", "store"}
_VERSION = re.compile(r"v\d+")
# What counts things or tells of them names none.
_COUNTED = re.compile(
    r"(?:^|_)(?:count|counts|total|num|qty|quantity|amount|size|price|age|year|rank|level|version)(?:_|$)"
)
_MAKING = re.compile(r"(?i)[/_-](?:create|add|new|insert|register|registration|sign[-_]?up)(?:[/_-]\w+)?/?$")
_RESERVED = frozenset({"client", "auth", "response", "created", "removed", "changed", "taken"})


def maker_of(path: str, name: str, operations: Collection[Operation]) -> tuple[Operation, str] | None:
    """The operation that makes what a path's parameter names, and the field of its answer that identifies it.

    Where that is a number, and the path takes a text, it is the thing's `slug`, if it is shown one.
    """
    found = _maker_of(path, name, operations)
    if (
        found is None
        or is_text(found[0].shown().get(found[1], {}))
        or not _takes_text(path, name, operations)
    ):
        return found
    return (found[0], _SLUG) if is_text(found[0].shown().get(_SLUG, {})) else found


def _takes_text(path: str, name: str, operations: Iterable[Operation]) -> bool:
    """Whether a path's parameter is said to be a text."""
    told = (each for one in operations if one.path == path for each in one.parameters)
    return any(each.location == "path" and each.name == name and is_text(each.schema) for each in told)


def _maker_of(path: str, name: str, operations: Collection[Operation]) -> tuple[Operation, str] | None:
    """The operation that makes what a path's parameter names, and the field of its answer that identifies it.

    It is the one of the collection before the parameter (`POST /devices`, `POST /devices/register`); else the only one
    of a collection of this name within a thing (`POST /tools/{tool_id}/loans` for `/loans/{loan_id}`); else the only
    one that answers with a field of this name which it is not sent: a `job_id`, a `code` (but for a `user_id` the one
    that makes accounts); else the one of the only other collection whose things another path names so
    (`/devices/{device_id}` for `/control/{device_id}`), or the one whose things are called so (`POST /listings` for
    `/favourites/{listing_id}`). A collection may be called in the other number than its things (`POST /courses` for
    `/course/{id}`), and its maker in any way, where both answer with one schema.
    """
    prefix = _before(path, name)
    makers = [each for each in operations if each.method == "POST"]
    as_number = takes_number(path, name, operations)
    beside = _called_otherwise(prefix, makers)
    for own in (prefix, *([beside] if beside else [])):
        if (found := _of_collection(own, name, makers, as_number=as_number)) is not None:
            return found
    within = [
        (each, key)
        for each in makers
        if _is_within(each.path, prefix) and (key := identity_of(each, name, as_number=as_number)) is not None
    ]
    if len(within) == 1:
        return within[0]
    is_account = ACCOUNT.search(snake(name)) is not None or _ACCOUNTS.search(prefix.rstrip("/")) is not None
    for maker in makers if is_account else ():
        if is_registration(maker) and (key := identity_of(maker, name, as_number=as_number)) is not None:
            return maker, key
    if (alike := _answering_alike(path, name, operations)) is not None:
        return alike
    if name.lower() in _COMMON:
        return None
    # An answer that tells of an account tells whose request it was.
    telling = [
        each
        for each in makers
        if "{" not in each.path
        and name in told_anew(each)
        and not is_account
        and not (as_number and is_text(each.shown().get(name, {})))
    ]
    if len(telling) == 1:
        return telling[0], name
    elsewhere = [
        _of_collection(each, name, makers, as_number=as_number) for each in homes_of(path, name, operations)
    ]
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
    """What stands before a path's parameter, without a word for what is done: `/posts` of `/posts/update/{id}`."""
    place = f"/{{{name}}}"
    before = path[: path.index(place)] if place in path else path.partition(f"{{{name}}}")[0]
    above, _, last = before.rpartition("/")
    return above if above and last.lower() in SPELLED else before


def takes_number(path: str, name: str, operations: Iterable[Operation]) -> bool:
    """Whether a path's parameter takes whole numbers alone."""
    told = (each for one in operations if one.path == path for each in one.parameters)
    return any(
        each.location == "path" and each.name == name and split_null(each.schema)[0].get("type") == "integer"
        for each in told
    )


def is_text(schema: dict[str, Json]) -> bool:
    """Whether a schema is one of texts alone."""
    return split_null(schema)[0].get("type") == "string"


def _called_otherwise(prefix: str, makers: Iterable[Operation]) -> str | None:
    """The collection whose things have their path under its name in the other number: `/courses` for `/course/{id}`."""
    above, _, last = prefix.strip("/").rpartition("/")
    found = set()
    for maker in makers:
        outer, _, name = collection_of(maker.path).rpartition("/")
        if outer == above and name != last and singular(name) == singular(last):
            found.add(collection_of(maker.path))
    return found.pop() if len(found) == 1 and last and "{" not in last else None


def _answering_alike(path: str, name: str, operations: Collection[Operation]) -> tuple[Operation, str] | None:
    """The only operation that makes what the path shows, by the schema that both answer with: `POST /add_book`.

    What lets somebody in may show the account, too, and makes none.
    """
    if not path.rstrip("/").endswith(f"{{{name}}}"):
        return None
    shown = {
        called_so
        for each in operations
        if each.method == "GET" and each.path == path and (called_so := _schema_of(each))
    }
    found = [
        each
        for each in operations
        if each.method == "POST"
        and "{" not in each.path
        and _schema_of(each) in shown
        and each.success is not None
        and (each.success.status == "201" or _MAKING.search(each.path) is not None)
    ]
    as_number = takes_number(path, name, operations)
    key = identity_of(found[0], name, as_number=as_number) if len(found) == 1 else None
    return (found[0], key) if key is not None else None


def _schema_of(operation: Operation) -> str:
    """The name of the schema with which an operation succeeds, empty where it has none of its own."""
    schema = operation.success.schema if operation.success is not None else None
    told = str((schema or {}).get(FACT, ""))
    return told if told.startswith("spec:schema:") else ""


def _of_collection(
    prefix: str, name: str, makers: Iterable[Operation], *, as_number: bool = False
) -> tuple[Operation, str] | None:
    """The operation that makes the things of a collection, its own POST first, and what identifies them."""
    wanted = prefix.strip("/")
    own = [each for each in makers if collection_of(each.path) == wanted]
    for maker in sorted(own, key=lambda each: each.path.strip("/") != wanted):
        if (key := identity_of(maker, name, as_number=as_number)) is not None:
            return maker, key
    return None


@functools.lru_cache(maxsize=8192)
def collection_of(path: str) -> str:
    """The collection into which a POST of this path puts things: `devices` for `/devices/register`, too."""
    whole = path.strip("/")
    above, _, last = whole.rpartition("/")
    outer = above.rpartition("/")[2]
    is_many = singular(outer) != outer
    return above if last.lower() in (_PUTTING if is_many else _ADDING) and is_thing(outer) else whole


def is_thing(part: str) -> bool:
    """Whether a part of a path is called as things are, and not a parameter, a version or what all paths begin with."""
    return (
        bool(part)
        and not part.startswith("{")
        and part not in ("api", "auth")
        and not _VERSION.fullmatch(part)
    )


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
            is_within = _is_within(maker.path, prefix)
            if not is_within and not _may_be_home(prefix, maker, each):
                continue
            found = maker_of(each.path, name, operations)
            if found is not None and (is_within or found[0].key == maker.key):
                return prefix
    return ""


def _may_be_home(prefix: str, maker: Operation, single: Operation) -> bool:
    """Whether things may be found there that are made at a path which is called otherwise."""
    if "{" in maker.path or prefix.strip("/") == collection_of(maker.path):
        return False
    alike = single.method == "GET" and _schema_of(single) == _schema_of(maker) != ""
    return alike or _called_otherwise(prefix, [maker]) is not None


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


def told_anew(maker: Operation) -> set[str]:
    """The fields that an operation always answers with, and which it does not take from its request."""
    _, shown = unwrapped(maker.success.schema if maker.success else None)
    sent = maker.given()
    return {name for name in shown.get("properties", {}) if name in shown.get("required", ())} - set(sent)


def identity_of(maker: Operation, name: str, *, as_number: bool = False) -> str | None:
    """The field of a maker's answer that a path's parameter takes: of its name, however it is written, else an id.

    Where the answer is an envelope, it is a field of what stands in it; with `as_number` one that is a number, where
    there is one.
    """
    if maker.success is None or maker.success.schema is None:
        return None
    properties = unwrapped(maker.success.schema)[1].get("properties", {})
    if shows_its_owner(maker, properties):
        return None
    wanted = identities(name, called(maker.path))
    told = set(properties) - (_OF_ENVELOPES if _MESSAGES & set(properties) else set())
    named = [key for key in wanted if key in told and _WORD.fullmatch(key)]
    fitting = (key for key in named if not (as_number and is_text(properties[key])))
    return next(fitting, named[0] if named else numbered_as(maker))


def numbered_as(maker: Operation) -> str | None:
    """The only number or UUID that a maker gives out by itself, called after the thing: `cod_city`, `noCity`."""
    thing = called(collection_of(maker.path))
    sent = maker.given()
    found = [
        name
        for name, each in maker.shown().items()
        if (name not in sent or sent[name].get("readOnly") is True) and thing in snake(name).split("_")
        if split_null(each)[0].get("type") == "integer" or split_null(each)[0].get("format") == "uuid"
        if not _COUNTED.search(snake(name))
    ]
    return found[0] if len(found) == 1 else None


def shows_its_owner(maker: Operation, properties: dict[str, Json]) -> bool:
    """Whether what makes something within a thing answers with that thing, in whose list it stands: `extras`."""
    *before, last = maker.path.rstrip("/").split("/")
    listed = split_null(properties.get(last, {}))[0]
    return "{" in "/".join(before) and listed.get("type") == "array"


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
