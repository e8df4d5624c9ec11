"""Which parts of an answer tell of the moment or of the request, so that a second answer has others."""

from __future__ import annotations

import re

from crossval.compare.components import split_null
from graph.facts import Json

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OF_THE_MOMENT = re.compile(
    r"^(time_?stamp|now|(current|server|response|request|local|system)_?(date_?)?time|(generated|served|retrieved|requested|checked|as)_"
    r"(at|on|of)|uptime.*|(processing|elapsed|query|execution)_?time.*|elapsed.*|took(_ms)?|duration_ms|latency.*"
    r"|last_?(seen|used|active|activity|access(ed)?|request(ed)?|login|visit(ed)?)(_at|_on)?|(view|hit|visit|access|request)s?(_?count)?"
    r"|expires_in|ttl|age_seconds|seconds_left|(request|trace|correlation|span)_?id|nonce|random.*|load(_avg.*)?|(cpu|memory|mem|disk)_(percent|usage|used|free))$"
)
_DEPTH = 5


def is_of_the_moment(name: str) -> bool:
    """Whether a field is called as what differs from one answer to the next."""
    return _OF_THE_MOMENT.search(_CAMEL.sub("_", name).lower().replace("-", "_")) is not None


def moving(schema: Json, depth: int = _DEPTH) -> bool:
    """Whether a schema has such a field, however deep."""
    if not isinstance(schema, dict) or depth == 0:
        return False
    plain = split_null(schema)[0]
    fields = plain.get("properties", {})
    inner = [*fields.values(), plain.get("items"), *(plain.get("anyOf") or ()), *(plain.get("allOf") or ())]
    return any(map(is_of_the_moment, fields)) or any(moving(each, depth - 1) for each in inner)


def is_moving(name: str, schema: Json) -> bool:
    """Whether a field differs from one answer to the next, or has something in it that does."""
    return is_of_the_moment(name) or moving(schema)


def steady_fields(schema: dict[str, Json]) -> list[str] | None:
    """The fields that an answer surely has and that stay, where others of it move; None where nothing moves."""
    if not moving(schema):
        return None
    plain = split_null(schema)[0]
    fields = plain.get("properties", {})
    sure = plain.get("required", ())
    return [name for name, each in fields.items() if name in sure and not is_moving(name, each)]
