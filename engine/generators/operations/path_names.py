"""Names that a client gives to a thing, and that paths take later."""

from __future__ import annotations

import contextlib
import re

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.requests import Sent
from engine.generators.values.distinct import name_in_path
from engine.generators.values.schema_values import valid
from graph.facts import Json
from planner.contracts.operations import Member, Operation


def fit_for_path(request: Sent, maker: Operation, key: str, named: Member, tag: str) -> Sent:
    """A request whose field is to stand in a path later, which takes only texts of a pattern."""
    pattern = split_null(named.schema)[0].get("pattern")
    body: dict[str, Json] = request.body if isinstance(request.body, dict) else {}
    sent = body.get(key)
    if not isinstance(pattern, str) or not isinstance(sent, str) or maker.body is None:
        return request
    with contextlib.suppress(re.error):
        if re.search(pattern, sent):
            return request
    own: dict[str, Json] = split_null(split_null(maker.body.schema)[0].get("properties", {}).get(key, {}))[0]
    sizes: dict[str, Json] = {name: own[name] for name in ("minLength", "maxLength") if name in own}
    schema: dict[str, Json] = {**sizes, **split_null(named.schema)[0]}
    if "pattern" in own:
        return request
    value = name_in_path(schema, valid(schema, key), tag)
    return msgspec.structs.replace(request, body={**body, key: value})
