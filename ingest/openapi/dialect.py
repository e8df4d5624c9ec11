"""What differs between OpenAPI 2 and 3: where bodies, contents and media types are written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ingest.openapi.node import Node

_FORM = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"
_ANY = "*/*"
_NOT_PARAMETERS = frozenset({"accept", "content-type", "authorization"})
_NOT_SCHEMA = frozenset({"name", "in", "required", "description", "allowEmptyValue", "collectionFormat"})


class Content(NamedTuple):
    """One media type of a body or of an answer; `schema` is None where nothing is said about the content.

    A form of OpenAPI 2 has its parameters as `fields` instead.
    """

    media_type: str
    schema: Node | None
    place: Node
    fields: tuple[Node, ...] = ()


class Body(NamedTuple):
    """What an operation takes as its body."""

    required: bool
    contents: list[Content]


def media_type(written: str) -> str:
    """A media type in lower case without parameters such as `charset`."""
    return written.partition(";")[0].strip().lower()


def is_ignored(parameter: Node) -> bool:
    """Whether OpenAPI 3 says to ignore this header parameter, since other parts of the contract describe it."""
    return parameter.get("in") == "header" and str(parameter.get("name")).lower() in _NOT_PARAMETERS


def contents(holder: Node) -> list[Content]:
    """The media types of a request body, response or parameter of OpenAPI 3."""
    found: dict[str, Content] = {}
    for written, node in holder.mapping("content").members():
        name = media_type(written)
        found.setdefault(name, Content(name, node.member("schema"), node))
    return list(found.values())


def media_types_of_version_2(keyword: str, *levels: Node) -> list[str]:
    """`consumes` or `produces` of the first level that says it; any media type where none does."""
    for level in levels:
        names = level.get(keyword)
        if isinstance(names, list) and names:
            return list(dict.fromkeys(media_type(str(name)) for name in names))
    return [_ANY]


def body_of_version_2(parameters: Sequence[Node], consumes: list[str]) -> Body | None:
    """The body that `in: body` and `in: formData` parameters describe."""
    for parameter in parameters:
        if parameter.get("in") == "body":
            schema = parameter.member("schema")
            required = parameter.get("required") is True
            return Body(required, [Content(name, schema, parameter) for name in consumes])
    fields = [parameter for parameter in parameters if parameter.get("in") == "formData"]
    if not fields:
        return None
    uploads = any(parameter.get("type") == "file" for parameter in fields)
    forms = [name for name in consumes if name in (_FORM, _MULTIPART)] or [_MULTIPART if uploads else _FORM]
    required = any(parameter.get("required") is True for parameter in fields)
    return Body(required, [Content(name, None, fields[0], tuple(fields)) for name in forms])


def inline_schema(parameter: Node) -> Node:
    """The schema that a parameter or header of OpenAPI 2 states by its own keywords."""
    value = {key: value for key, value in parameter.value.items() if key not in _NOT_SCHEMA}
    return Node(parameter.tree, value, parameter.line, parameter.last, parameter.pointer)


def statuses(responses: Node) -> Iterator[tuple[str, Node]]:
    """The declared answers by status: `200`, `4XX` or `default`."""
    for written, node in responses.members():
        status = written.strip()
        yield (status if status == "default" else status.upper()), node
