"""Which facts are worth finding by meaning, and the text by which a fact is found."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import msgspec

from graph.facts import Fact, Json, Kind, Tag
from graph.retrieval.words import spoken
from graph.statements import statement

VERSION = 3
"""Raised whenever the text of some fact changes: the indexes are then made anew."""

_LONGEST = 1_200
_PLAIN = frozenset(
    {"type", "$ref", "items", "properties", "required", "x-line", "x-path", "x-unknown", "anyOf"}
)
"""Keywords of a schema that say no more than its type does."""


_CODE = frozenset({Kind.FUNCTION, Kind.CLASS, Kind.MODULE, Kind.ATTRIBUTE, Kind.TEST})


class Passage(msgspec.Struct, frozen=True, gc=False):
    """The text of a fact: what it is called, what it says, and what of it is embedded."""

    name: str
    text: str
    meaning: str

    @property
    def digest(self) -> bytes:
        """16 bytes that tell what is embedded from all else."""
        return hashlib.blake2b(self.meaning.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def passage(fact: Fact) -> Passage:
    """The text of a fact: its sentence, then whatever prose and names its aspects hold.

    A model of prose understands code best by the end of its name in words and by what is written about it.
    """
    prose = list(dict.fromkeys(part.strip() for part in _prose(fact) if part.strip()))
    text = " ".join(dict.fromkeys([statement(fact), *prose]))[:_LONGEST]
    meaning = text
    if fact.kind in _CODE:
        tail = ".".join(fact.key.rpartition("::")[2].split(".")[-2:])
        meaning = f"{spoken(tail)}. {' '.join(prose)} ({fact.kind} {fact.key})"[:_LONGEST]
    return Passage(fact.key if fact.name in fact.key else f"{fact.name} {fact.key}", text, meaning)


def is_worth_a_vector(fact: Fact) -> bool:
    """Whether a question in other words than the fact's own could mean it.

    Members of something else that say only their type (most fields, parameters and attributes), bodies, dunder
    methods and functions inside functions are found by their words, and through what contains them.
    """
    match fact.kind:
        case Kind.BODY:
            return False
        case Kind.FIELD | Kind.PARAMETER:
            return bool(fact.aspects.get("description")) or _says_more_than_its_type(
                fact.aspects.get("schema")
            )
        case Kind.ATTRIBUTE:
            return fact.name.rpartition(".")[2].isupper() and fact.aspects.get("value") is not None
        case Kind.FUNCTION:
            name = fact.key.rpartition(".")[2]
            return not (name.startswith("__") or "<locals>" in fact.key)
        case Kind.MODULE:
            return fact.tag is not Tag.TEST and bool(fact.aspects.get("doc"))
        case _:
            return True


def _says_more_than_its_type(schema: Json) -> bool:
    return isinstance(schema, dict) and any(key not in _PLAIN for key in schema)


def _prose(fact: Fact) -> Iterator[str]:
    aspects = fact.aspects
    for name in ("summary", "description", "title", "text", "subject"):
        value = aspects.get(name)
        if isinstance(value, str):
            yield value
    yield from _documented(aspects.get("doc"))
    for name in ("given", "when", "then"):
        yield from _texts(aspects.get(name))
    if fact.kind is Kind.TEST:
        yield from (f"{method} {path}" for method, path, *_ in aspects.get("requests", ()))
        yield from _firsts("asserts", aspects)
    raised = list(_firsts("raises", aspects))
    if raised:
        yield f"raises {', '.join(dict.fromkeys(raised))}"
    yield from _limits(aspects.get("schema"))


def _documented(doc: Json) -> Iterator[str]:
    if isinstance(doc, str):
        yield doc
    if not isinstance(doc, dict):
        return
    for name in ("summary", "description", "returns"):
        if isinstance(doc.get(name), str):
            yield doc[name]
    for exception, text in doc.get("raises", ()):
        yield f"{exception}: {text}"
    yield from (f"{name}: {text}" for name, text in doc.get("params", {}).items())


def _firsts(name: str, aspects: dict[str, Json]) -> Iterable[str]:
    return (str(each[0]) for each in aspects.get(name, ()) if each)


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, list):
        yield from (each for each in value if isinstance(each, str))


def _limits(schema: Json) -> Iterator[str]:
    """The bounds of a field as words: `min length 8`, `one of draft, published`."""
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        if key == "enum":
            yield f"one of {', '.join(map(str, value))}"
        elif key not in _PLAIN and not key.startswith("x-") and isinstance(value, str | int | float):
            words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in key)
            yield f"{words} {value}"
