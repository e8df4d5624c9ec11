"""The records of one web operation as the framework readers make them."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from graph.facts import Json, Location
from graph.schema_algebra import Schema
from graph.schemas import is_unknown
from ingest.web.schemas.json_results import agreed

_BY_HAND = frozenset({"success", "raised", "returned"})
_ORIGINS = ("success", "raised", "returned", "declared", "framework")


class Parameter(msgspec.Struct, frozen=True):
    """One path, query, header or cookie parameter; `required` is None where it cannot be known.

    `by_hand` tells that only the handler's own statements show it, in a framework that otherwise declares; `declared`
    that an extension checks what the code declares of it and nothing else, in one that otherwise does not; `anyway`
    that a framework takes it by itself wherever it can.
    """

    place: str
    name: str
    required: bool | None
    schema: Schema
    source: Location
    deprecated: bool = False
    by_hand: bool = False
    declared: bool = False
    anyway: bool = False

    @property
    def key(self) -> str:
        """`query.limit`; headers in lower case."""
        return f"{self.place}.{self.name.lower() if self.place == 'header' else self.name}"


class Body(msgspec.Struct, frozen=True):
    """One representation of the request's body; `required` is None where it cannot be known.

    `implicit` tells that the framework takes this media type by itself, without the code naming it; `by_hand` that
    only the handler's own statements show that there is a body; `declared` as of a parameter.
    """

    media_type: str
    required: bool | None
    schema: Schema
    source: Location
    implicit: bool = False
    by_hand: bool = False
    declared: bool = False


class Response(msgspec.Struct, frozen=True):
    """One status that the operation can answer with; `content` is None where its form cannot be known.

    `certain` tells that the handler surely gives it, whatever else it may answer.
    """

    status: str
    origin: str
    source: Location
    content: dict[str, Schema] | None = None
    description: str = ""
    via: tuple[str, ...] = ()
    exception: str = ""
    raises: str = ""
    certain: bool = False


class Operation(msgspec.Struct):
    """All that one route of one method does.

    `guessed` names the schema of a request or response that an exporter takes it for since nothing declares it.
    A webhook or callback, which the service itself sends, has its key in `sent_as`, and a callback in `of` the key of
    the operation that causes it; its path is what it is addressed by. Where the beginning of the path cannot be known,
    `under` is what stands for it in `path`, and `doubts` are the places at which that is said. `deprecated` is None
    where the framework has no way to say so.
    """

    method: str
    path: str
    source: Location
    handler: str
    framework: str
    parameters: list[Parameter] = msgspec.field(default_factory=list)
    bodies: list[Body] = msgspec.field(default_factory=list)
    responses: list[Response] = msgspec.field(default_factory=list)
    operation_id: str | None = None
    deprecated: bool | None = False
    tags: list[str] | None = None
    summary: str = ""
    description: str = ""
    security: list[dict[str, list[str]]] | None = None
    security_schemes: dict[str, Json] = msgspec.field(default_factory=dict)
    statuses_complete: bool = False
    parameters_complete: bool = False
    read_by_hand: list[str] = msgspec.field(default_factory=list)
    in_schema: bool = True
    sources: set[str] = msgspec.field(default_factory=set)
    unknown: list[tuple[str, Location, str]] = msgspec.field(default_factory=list)
    document: str = ""
    application: str = ""
    headers: dict[str, Json] | None = None
    open: str = ""
    taken: list[str] = msgspec.field(default_factory=list)
    guessed: dict[str, str] = msgspec.field(default_factory=dict)
    sent_as: str = ""
    of: str = ""
    under: str = ""
    doubts: list[str] = msgspec.field(default_factory=list)

    @property
    def key(self) -> str:
        """`GET /books/{id}`."""
        return self.sent_as or f"{self.method} {self.path}"

    def succeed_surely(self) -> None:
        """Note that the successes so far are answers of the handler itself, whatever else it may answer."""
        self.responses = [
            replace(each, certain=True) if each.origin == "success" else each for each in self.responses
        ]

    def place_under(self, under: str, doubts: Iterable[str]) -> None:
        """Put what stands for a beginning that cannot be known before the path, if there is one."""
        if under:
            self.path, self.under = under + self.path, under + self.under
            self.doubts = [*doubts, *self.doubts]


def merged(responses: list[Response]) -> list[Response]:
    """One response for each status, in the order of the statuses: the strongest origin, with what others add.

    Where the code names a model for an answer that it makes by hand, the model tells what the answer holds.
    """
    found: dict[str, Response] = {}
    for response in sorted(responses, key=lambda r: (r.status, _ORIGINS.index(r.origin))):
        first = found.get(response.status)
        if first is None:
            found[response.status] = response
            continue
        content = _content(first.content, response.content)
        if content is not None and {first.origin, response.origin} <= _BY_HAND:
            content = {**(response.content or {}), **content}
        description = first.description or response.description
        found[response.status] = Response(
            first.status,
            first.origin,
            first.source,
            content,
            description,
            first.via,
            first.exception,
            first.raises,
            first.certain or response.certain,
        )
    return list(found.values())


def _content(first: dict[str, Schema] | None, second: dict[str, Schema] | None) -> dict[str, Schema] | None:
    if first is None or second is None:
        return second if first is None else first
    return {
        media_type: _either(schema, second[media_type]) if media_type in second else schema
        for media_type, schema in first.items()
    }


def _either(first: Schema, second: Schema) -> Schema:
    """What is answered in one of two places; where both are spelled out by hand, either may be.

    What is spelled out for one place tells nothing of what another answers that is not known.
    """
    spelled = [bool(each.get("x-complete")) and "$ref" not in each for each in (first, second)]
    if is_unknown(first):
        return first if spelled[1] else second
    return agreed(first, second) if all(spelled) else first
