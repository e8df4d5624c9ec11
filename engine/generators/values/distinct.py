"""Texts and numbers of a request that no other test sends, where what is made twice may be refused."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from typing import Any
from uuid import UUID

from crossval.compare.components import split_null
from engine.generators.source import Expression
from engine.generators.values.named_texts import is_surely_formed, named_text, named_text_apart
from engine.generators.values.patterns import matching_text
from graph.facts import Json
from planner.contracts.chosen_names import Place
from planner.contracts.confidential import is_credential, is_secret
from planner.contracts.entrances import is_registration
from planner.contracts.envelopes import unwrapped
from planner.contracts.operations import Operation
from planner.contracts.resolving import EXAMPLE
from planner.contracts.resources import called, collection_of, snake
from planner.contracts.states import makes_first
from planner.contracts.violations import keeps

_LETTERS = "bcdfghjkmnpqrtvwxz"
_LENGTH = 4
# What is usually told of one thing alone.
_NAMES = re.compile(
    r"(?i)^(user_?name|login|nick_?name|handle|slug|sku|isbn|serial(_?(no|number))?|bar_?code|licen[cs]e_?plate|plate"
    r"|(e_?)?mail(_?address)?|short_?code|code|reference|hostname|domain|name|label)$"
)
_SOLE = re.compile(r"(?i)^(user_?name|login|nick_?name|handle|slug|sku|isbn|(e_?)?mail(_?address)?)$")
_NUMBERS = re.compile(r"(?i)^(id|number|no|key|code|serial)$")
# "A tool of that name exists", "Conflict": what is there is not made again.
_MADE_TWICE = re.compile(
    r"(?i)\b(?:exists?|existing|duplicates?|duplicated|taken|unique|in use|known|registered|conflict)\b"
    r"|\bnot (?:free|available)\b"
)
_MAKING = frozenset({"POST", "PUT", "PATCH"})
_CHOSEN = frozenset({"enum", "const", EXAMPLE, "default"})


def tag_of(case: str) -> str:
    """Some letters that belong to one test case, the same each time."""
    number = int.from_bytes(hashlib.sha256(case.encode()).digest()[:6])
    return "".join(_LETTERS[number // len(_LETTERS) ** place % len(_LETTERS)] for place in range(_LENGTH))


def is_of_one(name: str) -> bool:
    """Whether two things cannot have what is called so in common, whatever a contract says: a user's name, a `sku`."""
    return _SOLE.search(name) is not None


def distinct(operation: Operation, body: Json, tag: str, naming: Collection[Place] = ()) -> Json:
    """The body that makes or changes a thing, told from those of other tests by the tag.

    Fields that usually belong to one thing alone are, and all free texts where the contract says that a request may
    conflict: with a 409, or with a 400 beside the 422 for what is invalid. Examples stay as they are, unless the
    contract says that what exists is not made again, or two things never have it in common (an email); secrets and
    names of other things always do. Those by which paths name what is made (`naming`) never do.
    """
    if operation.method not in _MAKING or not isinstance(body, dict):
        return body
    statuses = {answer.status for answer in operation.answers}
    is_conflicting = "409" in statuses or {"400", "422"} <= statuses
    changed: dict[str, Any] = dict(body)
    alone = _of_one_alone(operation) | _of_one_in_example(operation)
    named = {place[0] for place in naming if len(place) == 1}
    for name, schema in _free_fields(operation, {*alone, *named}).items():
        if name in body and (name,) in naming and not isinstance(body[name], Expression):
            changed[name] = name_in_path(schema, body[name], tag)
        elif name in body and name in alone:
            changed[name] = _told_apart(schema, name, body[name], tag, everything=True, shown=True)
        elif name in body:
            is_all = (
                is_conflicting or _is_name_of_made(name, operation) or _is_all_that_is_said(name, operation)
            )
            changed[name] = _told_apart(schema, name, body[name], tag, everything=is_all)
    for outer, *inner in naming:
        if inner and isinstance(changed.get(outer), dict) and inner[0] in changed[outer]:
            fields = split_null(_fields(operation)[outer])[0].get("properties", {})
            name = name_in_path(fields[inner[0]], changed[outer][inner[0]], tag)
            changed[outer] = {**changed[outer], inner[0]: name}
    return changed


def _is_name_of_made(name: str, operation: Operation) -> bool:
    """Whether a field is called as the name of what is made: the `store_name` of `POST /store`, the `tag` of `/tag`."""
    if operation.method == "POST" and snake(name) == called(collection_of(operation.path)):
        return True
    thing, _, own = snake(name).rpartition("_")
    return thing == called(collection_of(operation.path)) and _NAMES.search(own) is not None


def _is_all_that_is_said(name: str, operation: Operation) -> bool:
    """Whether a field is the only required text of what makes a thing, and called after it: `desc_country`."""
    texts = [each for each, schema in operation.required().items() if _is_text(schema)]
    is_called_so = called(collection_of(operation.path)) in snake(name).split("_")
    return operation.method == "POST" and texts == [name] and is_called_so


def _fields(operation: Operation) -> dict[str, dict[str, Json]]:
    found: dict[str, dict[str, Json]] = {}
    if operation.body is not None:
        found = split_null(operation.body.schema)[0].get("properties", {})
    return found


def _of_one_alone(operation: Operation) -> set[str]:
    """The fields of which a contract says, by the words of its 409, that two things cannot have them in common.

    The fields that the words name, else those that usually belong to one thing alone, else all texts; none where the
    words tell of something else (`The tool is lent`) of which a thing that stands alone is not in need.
    """
    words = next((answer.words for answer in operation.answers if answer.status == "409"), None)
    if words is None:
        return set()
    texts = {name for name, schema in _fields(operation).items() if _is_text(schema)}
    said = {word.lower() for word in re.findall(r"[A-Za-z]+", words)}
    if named := {name for name in texts if name.lower() in said}:
        return named
    usual = {name for name in texts if _NAMES.search(name)}
    if not _MADE_TWICE.search(words or "conflict"):
        return usual if makes_first(operation) else set()
    return usual or texts


def _of_one_in_example(operation: Operation) -> set[str]:
    """The fields of an example that no two things have in common, where the operation makes or changes such a thing.

    It does where its answer shows them, or where it makes an account. What an example says of who asks stays.
    """
    shown = unwrapped(operation.success.schema if operation.success else None)[1].get("properties", {})
    is_making = is_registration(operation)
    return {name for name in _fields(operation) if is_of_one(name) and (is_making or name in shown)}


def _is_text(schema: dict[str, Json]) -> bool:
    plain = split_null(schema)[0]
    return plain.get("type") == "string" and not {"enum", "const"} & {*schema, *plain}


def _free_fields(operation: Operation, alone: Collection[str]) -> dict[str, dict[str, Json]]:
    """The fields of a body which a test may choose: of an example those that no two things have in common, and no
    secrets that are not shown again."""
    if operation.body is None:
        return {}
    is_shown = EXAMPLE in operation.body.schema or bool(operation.body.examples)
    shown = unwrapped(operation.success.schema if operation.success else None)[1].get("properties", {})
    return {
        name: schema
        for name, schema in _fields(operation).items()
        if (name in shown or not (is_credential(name) or is_secret(name))) and (name in alone or not is_shown)
    }


def _told_apart(
    schema: dict[str, Json], name: str, value: Json, tag: str, *, everything: bool, shown: bool = False
) -> Json:
    plain = split_null(schema)[0]
    chosen = _CHOSEN - {EXAMPLE} if shown else _CHOSEN
    if chosen & {*schema, *plain} or isinstance(value, Expression):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and _NUMBERS.search(name):
        return _numbered(schema, value, tag)
    is_formed = (is_surely_formed(name) if shown else named_text(name) is not None) and "@" not in str(value)
    is_free = everything and "format" not in plain and not is_formed
    if not isinstance(value, str) or not (is_free or _NAMES.search(name)):
        return value
    own = named_text_apart(name, tag) if value == named_text(name) else None
    ways = [*([own] if own is not None else []), *_with_tag(value, tag, plain)]
    return next((each for each in ways if keeps(schema, each)), value)


def sized_apart(name: str, schema: dict[str, Json], value: Json, tag: str, *, is_own: bool = False) -> Json:
    """A text of the same length that no other test sends, where a field of this name belongs to one thing alone.

    With `is_own` a contract says so.
    """
    if not isinstance(value, str) or not (is_own or _NAMES.search(name)) or _CHOSEN & set(schema):
        return value
    tag = tag.upper() if value.isupper() else tag
    told = f"{value[: max(0, len(value) - len(tag))]}{tag[: len(value)]}"
    if "@" in value:  # What stands before is its own.
        told = f"{tag}{value[len(tag) :]}"
    return told if keeps(schema, told) else value


def name_in_path(schema: dict[str, Json], value: Json, tag: str) -> Json:
    """A name that a client chooses for a thing, told from those of other tests by the tag; the value if none is."""
    plain = split_null(schema)[0]
    if isinstance(value, bool) or {"enum", "const"} & set(plain):
        return value
    if isinstance(value, int):
        return _numbered(schema, value, tag)
    if plain.get("format") == "uuid":
        return str(UUID(bytes=hashlib.md5(tag.encode(), usedforsecurity=False).digest(), version=4))
    if not isinstance(value, str):
        return value
    ways = [f"{value}-{tag}".lower(), tag, f"{value}{tag}", tag.upper(), _respelled(value, tag, schema)]
    if value.isupper():
        ways = [f"{value}{tag.upper()}" if value.isalnum() else f"{value}-{tag.upper()}", *ways]
    return next((each for each in ways if keeps(schema, each)), value)


def _numbered(schema: dict[str, Json], value: int, tag: str) -> int:
    """A number of the tag's own, the value where the schema takes no such number."""
    number = 1000 + int.from_bytes(tag.encode()) % 999_000
    return number if keeps(schema, number) else value


def _longer(value: str, schema: dict[str, Json]) -> str:
    """The text, or where a pattern takes a longer one that long, so that there are more of its kind."""
    pattern = schema.get("pattern")
    texts = (matching_text(str(pattern), length) for length in range(len(_LETTERS) // 3 + 2, len(value), -1))
    return (
        next((each for each in texts if each is not None and keeps(schema, each)), value)
        if pattern
        else value
    )


def _respelled(value: str, tag: str, schema: dict[str, Json]) -> str:
    """The text with other letters and digits, each of its kind, wherever the schema takes them."""
    number = int.from_bytes(hashlib.sha256(tag.encode()).digest()[:6])
    spelled = value
    for place, each in enumerate(value):
        letter = tag[place % len(tag)]
        digit = str(number // 10 ** (place % 12) % 10)
        mark = digit if each.isdigit() else letter.upper() if each.isupper() else letter
        tried = f"{spelled[:place]}{mark}{spelled[place + 1 :]}"
        if each.isalnum() and keeps(schema, tried):
            spelled = tried
    return spelled


def _with_tag(value: str, tag: str, schema: dict[str, Json]) -> list[str]:
    """The text with the tag in it, in the ways in which a schema may take it; the best first."""
    most = schema.get("maxLength")
    if schema.get("format") in ("email", "idn-email") or "@" in value:
        before, _, after = value.partition("@")
        return [f"{before}-{tag}@{after}"]
    if {"format", "pattern"} & set(schema):
        return [
            f"{tag}@example.org",
            f"{value}{tag}",
            f"{tag}{value}",
            tag,
            f"{value}{tag.upper()}",
            tag.upper(),
            _respelled(_longer(value, schema), tag, schema),
        ]
    if isinstance(most, int) and most < len(value) + len(tag) + 1:
        short = tag[: max(most - 1, 0)]
        return [value[: most - len(short)] + short]
    return [f"{value} {tag}"]
