"""The examples of a contract: values written down for a body, an answer, a parameter, a schema or a field."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from graph.facts import Json
from ingest.openapi.files import Files
from ingest.openapi.node import Node

_LARGEST = 20_000
_SINGLE = ("example", "x-example")
_MOST = 20
_STATED = frozenset(
    {
        "enum",
        "const",
        "default",
        "format",
        "pattern",
        "example",
        "x-example",
        "examples",
        "minLength",
        "maxLength",
    }
)
_TOLD = re.compile(
    r"\b(?:e\.\s?g\.|for example|for instance|such as|one of)[,:]?\s+"
    r"(?P<quote>['\"`])(?P<value>[\w./:@+-][^'\"`<>{}\n]{0,60})(?P=quote)",
    re.IGNORECASE,
)
_DEPTH = 6


def exampled(*nodes: Node | None, files: Files, media_type: str = "") -> dict[str, Json]:
    """The aspect `examples` of what these nodes state; empty where there are none.

    Each entry has `value` and `line`, further `name` where the contract names it, `media_type` where it is given,
    and `place` (`address.street`, `items[].price`) where it is written on a property inside.
    """
    found: list[Json] = []
    for node in nodes:
        if node is None or node.ref is not None:
            continue
        for name, each in _own(node, files):
            if len(found) < _MOST and (entry := _entry(each, name, media_type)) not in found:
                found.append(entry)
        for place, each in _inside(node, files):
            if len(found) < _MOST:
                found.append({**_entry(each, "", media_type), "place": place})
    return {"examples": found} if found else {}


def exampled_fields(node: Node, files: Files) -> dict[str, dict[str, Json]]:
    """The examples of the properties that are written inside a schema, under the paths of their fields."""
    found: dict[str, list[Json]] = {}
    for place, each in _inside(node, files):
        found.setdefault(place, []).append(_entry(each, "", ""))
    return {place: {"examples": entries} for place, entries in found.items()}


def examples_of_version_2(answer: Node, schema: Node | None, files: Files) -> dict[str, Json]:
    """The aspect of an answer of OpenAPI 2, whose `examples` are by media type."""
    found: list[Json] = []
    for media_type, node in answer.mapping("examples").members():
        if _is_small(node.value):
            found.append(_entry(node, "", media_type.partition(";")[0].strip().lower()))
    found += exampled(schema, files=files).get("examples", [])
    return {"examples": found} if found else {}


def _entry(node: Node, name: str, media_type: str) -> dict[str, Json]:
    entry: dict[str, Json] = {"value": node.value, "line": node.line}
    if name:
        entry["name"] = name
    if media_type:
        entry["media_type"] = media_type
    return entry


def _own(node: Node, files: Files) -> Iterator[tuple[str, Node]]:
    """The examples written on a node itself, by name where they have one; else the one that its description tells."""
    told = _described(node)
    if told is not None:
        yield "", told
    for keyword in _SINGLE:
        each = node.member(keyword)
        if each is not None and _is_small(each.value):
            yield "", each
    several = node.member("examples")
    if several is None:
        return
    for each in several.items():
        if _is_small(each.value):
            yield "", each
    for name, written in several.members(extensions=True):
        holder = files.resolved(written)
        value = holder.member("value") if holder is not None else None
        if value is not None and _is_small(value.value):
            yield name, value


def _described(node: Node) -> Node | None:
    """The value that the description of a text without a form, a list or an example names: `e.g. "greedy"`."""
    description = node.member("description")
    if description is None or not isinstance(description.value, str) or not isinstance(node.value, dict):
        return None
    kinds = [node.value, *(each for each in node.value.get("anyOf") or () if isinstance(each, dict))]
    if any(_STATED & set(each) for each in kinds) or all(each.get("type") != "string" for each in kinds):
        return None
    found = _TOLD.search(description.value)
    return msgspec.structs.replace(description, value=found["value"]) if found is not None else None


def _inside(node: Node, files: Files, prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Node]]:
    """The examples on the properties written inside a schema, or inside the schema that a media type has."""
    if depth > _DEPTH or not isinstance(node.value, dict):
        return
    for name, inner in node.mapping("properties").members(extensions=True):
        for _, each in _own(inner, files) if inner.ref is None else ():
            yield f"{prefix}{name}", each
        yield from _inside(inner, files, f"{prefix}{name}.", depth + 1)
    items = node.member("items")
    if items is not None:
        yield from _inside(items, files, f"{prefix.removesuffix('.')}[].", depth + 1)


def _is_small(value: Json) -> bool:
    """Whether an example is worth keeping; it may hold what JSON cannot (a YAML date), and then it is not."""
    try:
        return len(msgspec.json.encode(value)) <= _LARGEST
    except (TypeError, ValueError, RecursionError, OverflowError):
        return False
