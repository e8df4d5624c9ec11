"""Which operations belong to one kind of thing: what makes it, reads it, lists it, changes it and removes it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from crossval.compare.components import split_null
from graph.facts import Json
from planner.envelopes import unwrapped
from planner.operations import Operation
from planner.paths import PARAMETER

_IDENTITIES = ("id", "uuid", "slug", "key", "code", "name", "number")
_COMMON = frozenset({"id", "uuid", "slug", "key", "name", "number", "pk"})
"""What things of many kinds are identified by, so that a field of this name does not tell which kind."""
# What tells how a request went, beside words for people, identifies nothing.
_MESSAGES, _OF_ENVELOPES = frozenset({"message", "msg"}), frozenset({"code", "number"})
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"\w+")
_OTHER = re.compile(r"[^a-z0-9]+")
_LIMITS = frozenset({"format", "pattern", "enum", "const", "maxLength", "example", "default"})
_RESERVED = frozenset(
    {"client", "auth", "response", "created", "removed", "changed", "taken", "class", "import"}
)


def maker_of(path: str, name: str, operations: Iterable[Operation]) -> tuple[Operation, str] | None:
    """The operation that makes what a path's parameter names, and the field of its answer that identifies it.

    It is the one of the collection before the parameter; else the only one of a collection of this name within a
    thing (`POST /tools/{tool_id}/loans` for `/loans/{loan_id}`); else the only one that answers with a field of this
    name which it is not sent: a `job_id`, a `code`.
    """
    place = f"/{{{name}}}"
    prefix = path[: path.index(place)] if place in path else path.partition(f"{{{name}}}")[0]
    makers = [each for each in operations if each.method == "POST"]
    for maker in makers:
        if maker.path.strip("/") == prefix.strip("/"):
            key = identity_of(maker, name)
            if key is not None:
                return maker, key
    within = [
        (each, key)
        for each in makers
        if _is_within(each.path, prefix) and (key := identity_of(each, name)) is not None
    ]
    if len(within) == 1:
        return within[0]
    telling = [each for each in makers if "{" not in each.path and name in _told(each)]
    return (telling[0], name) if len(telling) == 1 and name.lower() not in _COMMON else None


def _is_within(path: str, collection: str) -> bool:
    """Whether a path is that of a collection within a thing, which is called as a collection of its own is."""
    own, _, last = path.strip("/").rpartition("/")
    outer, _, name = collection.strip("/").rpartition("/")
    return last == name != "" and own.endswith("}") and "{" not in outer and own.startswith(outer)


def home_of(maker: Operation, operations: Collection[Operation]) -> str:
    """The path of the collection at which things are found that are made within another thing; empty where there is
    none: `/loans`, where `/loans/{loan_id}` names what `POST /tools/{tool_id}/loans` makes."""
    for each in operations:
        for name in PARAMETER.findall(each.path):
            prefix = each.path[: each.path.index(f"{{{name}}}")].rstrip("/")
            if _is_within(maker.path, prefix) and maker_of(each.path, name, operations) is not None:
                return prefix
    return ""


def comes_and_goes(path: str, name: str, operations: Iterable[Operation]) -> bool:
    """Whether operations make or remove what a path's parameter names, so that it need not be there."""
    before, _, _ = path.partition(f"{{{name}}}")
    return any(
        (each.method == "POST" and each.path.rstrip("/") == before.rstrip("/"))
        or (each.method == "DELETE" and each.path.rstrip("/") == f"{before}{{{name}}}")
        for each in operations
    )


def named_by_client(path: str, name: str, operations: Iterable[Operation]) -> tuple[Operation, str] | None:
    """The POST that makes what a path's parameter names, and the field of its body that tells the name."""
    place = f"/{{{name}}}"
    prefix = path[: path.index(place)].strip("/") if place in path else None
    for maker in operations:
        if maker.method == "POST" and maker.path.strip("/") == prefix and maker.body is not None:
            found = naming_field(maker, name)
            if found is not None:
                return maker, found
    return None


def naming_field(maker: Operation, name: str) -> str | None:
    """The required field of a body by which a path's parameter names what is made; None where there is none."""
    plain = split_null(maker.body.schema)[0] if maker.body is not None else {}
    wanted = identities(name, called(maker.path))[: -len(_IDENTITIES)]
    kinds = {each: split_null(schema)[0].get("type") for each, schema in plain.get("properties", {}).items()}
    sent = (each for each in wanted if each in plain.get("required", ()))
    return next((each for each in sent if kinds.get(each) in ("string", "integer")), None)


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


def _told(maker: Operation) -> set[str]:
    """The fields that an operation always answers with, and which it does not take from its request."""
    _, shown = unwrapped(maker.success.schema if maker.success else None)
    sent = split_null(maker.body.schema)[0].get("properties", {}) if maker.body is not None else {}
    return {name for name in shown.get("properties", {}) if name in shown.get("required", ())} - set(sent)


def maker_of_reference(
    field: str, schema: dict[str, Json], operations: Iterable[Operation]
) -> tuple[Operation, str] | None:
    """The operation that makes what a field names, and what identifies it; else None.

    Such a field is called `book_id` or `bookId`, or `first_book_id`; or `book`, where it is a number, a UUID or any
    text as what identifies a book.
    """
    words = snake(field).split("_")
    has_ending = len(words) > 1 and words[-1] in ("id", "uuid", "slug", "isbn", "code")
    thing = "_".join(words[:-1] if has_ending else words)
    makers = [
        (each, called(each.path)) for each in operations if each.method == "POST" and "{" not in each.path
    ]
    exact = [maker for maker, made in makers if made == thing]
    for maker in (*exact, *(maker for maker, made in makers if thing.endswith(f"_{made}"))):
        key = identity_of(maker, field if has_ending and maker in exact else "id")
        if key is not None and (has_ending or _is_kind_as(schema, maker, key, is_exact=maker in exact)):
            return maker, key
    return None


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
    return (name, spelled, camel, tail, f"{thing}_{tail}", f"{thing}Id", *_IDENTITIES)


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
    return next((key for key in _IDENTITIES[:4] if isinstance(properties, dict) and key in properties), None)


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
    return f"{name}_" if name in _RESERVED or name[0].isdigit() else name


def singular(word: str) -> str:
    """A noun in the singular, by the rules that most English nouns follow."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")) or (word.endswith("oes") and len(word) > 5):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
