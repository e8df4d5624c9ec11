"""The records of the fact graph: what was read, from where, and how facts relate."""

from collections.abc import Container
from enum import StrEnum
from typing import Any, TypeAlias

import msgspec

Json: TypeAlias = Any
"""A JSON value: None, bool, int, float, str, a list or a dict with string keys."""


class Tag(StrEnum):
    """Which witness speaks."""

    SPEC = "spec"
    CODE = "code"
    TEST = "test"


class Kind(StrEnum):
    """What a fact is about; both witnesses use the same kinds."""

    OPERATION = "operation"
    PARAMETER = "parameter"
    BODY = "body"
    RESPONSE = "response"
    SCHEMA = "schema"
    FIELD = "field"
    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"
    ATTRIBUTE = "attribute"
    STORY = "story"
    CRITERION = "criterion"
    TEST = "test"
    COMMIT = "commit"
    PAGE = "page"
    CALLBACK = "callback"


class Verb(StrEnum):
    """What a relation says, read from its first end to its second."""

    CONTAINS = "contains"
    IMPLEMENTS = "implements"
    HANDLED_BY = "handled_by"
    VERIFIES = "verifies"
    CALLS = "calls"
    RAISES = "raises"
    IMPORTS = "imports"
    INHERITS = "inherits"
    REFERENCES = "references"
    MENTIONS = "mentions"
    CONTRADICTS = "contradicts"
    SUPERSEDES = "supersedes"
    TOUCHES = "touches"


class Location(msgspec.Struct, frozen=True, order=True, gc=False):
    """Lines of a file: `path` relative to the project root with `/`, lines from 1, both included."""

    path: str
    line: int
    end_line: int


class Fact(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One thing that one witness says, parsed and never guessed.

    `key` is unique per tag and kind within a document; `aspects` hold what is said, as JSON, with the names
    that ARCHITECTURE.md lists per kind; `sources` names the further files that a resolved fact was read from.
    `document` is set only where two documents define the same key.
    """

    tag: Tag
    kind: Kind
    key: str
    name: str
    source: Location
    aspects: dict[str, Json] = {}
    sources: tuple[str, ...] = ()
    document: str = ""

    @property
    def id(self) -> str:
        """`tag:kind:key`, with `@document` where the key alone is ambiguous."""
        identifier = ":".join((self.tag, self.kind, self.key))
        return f"{identifier}@{self.document}" if self.document else identifier

    @property
    def unnumbered(self) -> str:
        """The key without the number that tells definitions of one name apart: `shop.find` of `shop.find~2`."""
        return self.key.partition("~")[0]


class Relation(msgspec.Struct, frozen=True, gc=False):
    """One directed edge between two facts, named by id.

    An end whose kind the reader cannot know is written with `*`: `code:*:shop.pricing.discount`.
    `confidence` is below 1 only where the edge was inferred, and then `reason` says from what.
    """

    verb: Verb
    first: str
    second: str
    line: int = 0
    confidence: float = 1.0
    reason: str = ""


class Skipped(msgspec.Struct, frozen=True, order=True, gc=False):
    """A file, or a part of one, that was not read, and why; `line` is 0 where the whole file is meant."""

    path: str
    line: int
    reason: str


class Unknown(msgspec.Struct, frozen=True, order=True, gc=False):
    """An aspect of a subject that reading alone cannot settle, so that nothing is claimed about it."""

    subject: str
    aspect: str
    path: str
    line: int
    reason: str


ROUTES_BELOW = "routes below "
"""How the subject begins of what is unknown of routes that all lie below one path, which follows."""

ROUTES_ENDING = "routes ending in "
"""How the subject begins of what is unknown of routes of one method whose paths all end alike; both follow, with `{}`
for each parameter."""


class Defect(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Something wrong in one source by itself, seen while reading it; `rule` names the rule that reports it."""

    rule: str
    subject: str
    aspect: str
    message: str
    tag: Tag
    path: str
    line: int
    value: Json = None


class Suppression(msgspec.Struct, frozen=True, order=True, gc=False):
    """A note in a source that silences findings: `crossfact: ignore[rule, …] reason`.

    It covers findings whose evidence lies on lines `first` to `last` of its file.
    """

    path: str
    line: int
    rules: tuple[str, ...]
    reason: str
    first: int
    last: int


class Extract(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """All that one reader took from one file (or one resolver from several).

    `reads` names the other files that a change of must cause a new reading (targets of `$ref`, say).
    """

    facts: list[Fact] = []
    relations: list[Relation] = []
    skipped: list[Skipped] = []
    unknown: list[Unknown] = []
    defects: list[Defect] = []
    suppressions: list[Suppression] = []
    reads: list[str] = []


def fact_id(tag: Tag, kind: Kind, key: str) -> str:
    """The id of a fact that has this tag, kind and key."""
    return f"{tag}:{kind}:{key}"


def callback_key(method: str, address: str, taken: Container[str]) -> str:
    """The key of a request that the service itself sends: `POST new-order`, `~2` and so on where that is taken.

    Unlike an operation's path, the address begins without a slash; it has no `#`, which parts of it begin with.
    """
    key = f"{method} {address.lstrip('/').replace('#', '')}"
    number = 1
    while (found := key if number == 1 else f"{key}~{number}") in taken:
        number += 1
    return found


def reference(tag: Tag, key: str) -> str:
    """The id of a relation's end whose kind is not known where the relation was read."""
    return f"{tag}:*:{key}"
