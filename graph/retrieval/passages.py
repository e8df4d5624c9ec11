"""Which facts are worth finding by meaning, and the text by which a fact is found."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import msgspec

from graph.facts import Fact, Json, Kind, Tag
from graph.retrieval.words import spoken
from graph.statements import statement

VERSION = 2
"""Raised whenever the text of some fact changes: the indexes are then made anew."""

_LONGEST = 1_200
_PLAIN = frozenset(
    {"type", "$ref", "items", "properties", "required", "x-line", "x-path", "x-unknown", "anyOf"}
)
"""Keywords of a schema that say no more than its type does."""


class Passage(msgspec.Struct, frozen=True, gc=False):
    """The text of a fact: what it is called, and what it says."""

    name: str
    text: str

    @property
    def whole(self) -> str:
        """What is embedded: the end of the name as words, which a model of prose knows better, then the text."""
        return f"{spoken('.'.join(self.name.rpartition('::')[2].split('.')[-2:]))}. {self.text}"

    @property
    def digest(self) -> bytes:
        """16 bytes that tell this text from all others."""
        return hashlib.blake2b(self.whole.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def passage(fact: Fact) -> Passage:
    """The text of a fact: its sentence, then whatever prose and names its aspects hold."""
    parts = [statement(fact), *_prose(fact)]
    text = " ".join(dict.fromkeys(part.strip() for part in parts if part.strip()))
    return Passage(fact.key if fact.name in fact.key else f"{fact.name} {fact.key}", text[:_LONGEST])


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
