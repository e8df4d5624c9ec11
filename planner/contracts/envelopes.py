"""The thing that an answer tells of, where it stands in an envelope: `{"data": {"id": 1}}`."""

from __future__ import annotations

import re

from crossval.compare.components import split_null
from graph.facts import Json

_BESIDE = re.compile(
    r"(?i)^(meta(data)?|links?|success|ok|status|state|message|msg|errors?|code|warnings?|included|version|took|detail"
    r"|(request|trace|correlation)_?id|timestamp|pagination|cursor|etag|jsonapi|error_.*)$"
)
_IDENTITIES = ("id", "uuid", "slug", "key")
_ENDINGS = ("_id", "Id", "_uuid")


def unwrapped(schema: dict[str, Json] | None) -> tuple[str, dict[str, Json]]:
    """The field of an answer in which its thing stands, and the schema of the thing; else empty, and its own schema.

    An envelope identifies nothing itself, and has one object that does; beside it stands nothing but how it went.
    """
    plain = split_null(schema or {})[0]
    properties = plain.get("properties", {})
    if not isinstance(properties, dict) or _identifies(properties):
        return "", plain
    inner = {
        name: each for name, each in properties.items() if _identifies(_object_of(each).get("properties", {}))
    }
    if len(inner) != 1 or not all(name in inner or _BESIDE.search(name) for name in properties):
        return "", plain
    (name,) = inner
    return name, _object_of(inner[name])


def is_sure(schema: dict[str, Json] | None, place: str) -> bool:
    """Whether an answer always has the thing in its envelope, and never null."""
    plain = split_null(schema or {})[0]
    return not place or (place in plain.get("required", ()) and not split_null(plain["properties"][place])[1])


def _identifies(properties: Json) -> bool:
    return isinstance(properties, dict) and any(
        name in _IDENTITIES or (name.endswith(_ENDINGS) and not _BESIDE.search(name)) for name in properties
    )


def _object_of(schema: Json) -> dict[str, Json]:
    """A field's schema where it is an object, without null; else one of which nothing is known."""
    plain = split_null(schema)[0] if isinstance(schema, dict) else {}
    return plain if isinstance(plain.get("properties"), dict) else {}
