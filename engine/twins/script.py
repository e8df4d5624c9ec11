"""What criteria tell of answers, which a twin gives where it is asked exactly so, in the order in which it is told."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from engine.twins.mutation import Mutation
from engine.twins.replies import Headers, Reply
from planner.contracts.paths import matched
from planner.stories.exchanges import Exchange

_FIELD = re.compile(r"\{(\w+)\}")


class Script:
    """The exchanges of one criterion, and how far they were followed; `mutation` may break one of them."""

    def __init__(self, exchanges: tuple[Exchange, ...], mutation: Mutation | None) -> None:
        self._exchanges = exchanges
        self._mutation = mutation
        self._next = 0

    def named(self) -> list[str]:
        """The fields of answers that later paths are told to name: `{id}`."""
        paths = [exchange.path for exchange in self._exchanges]
        return list(dict.fromkeys(name for path in paths for name in _FIELD.findall(path)))

    def follows(
        self, method: str, path: str, query: Mapping[str, Any], body: Any, headers: Mapping[str, str]
    ) -> bool:
        """Whether this request is the next one that is told; then the next but one is waited for."""
        if self._next >= len(self._exchanges):
            return False
        exchange = self._exchanges[self._next]
        if (
            exchange.method != method
            or matched(exchange.path, path) is None
            or dict(query) != exchange.query
            or body != exchange.body
            or any(headers.get(name.lower()) != value for name, value in exchange.headers.items())
        ):
            return False
        self._next += 1
        return True

    def answered(self, reply: Reply) -> Reply:
        """The answer to the request that was followed last, as it is told, or broken in one place."""
        exchange = self._exchanges[self._next - 1]
        if not exchange.is_told:
            return reply
        status, headers, content = _status(exchange, reply.status_code), dict(reply.headers), reply.content
        headers |= {name.lower(): value or "text" for name, value in exchange.told_headers.items()}
        value = _value(exchange, reply) if exchange.answer else None
        told = self._mutation
        if told is not None and told.kind.startswith("told-") and told.value == self._next - 1:
            if told.kind == "told-status":
                status = 418 if status != 418 else 200
            elif told.kind == "told-header":
                headers.pop(told.place.lower(), None)
            else:
                value = _with_more(value) if told.kind == "told-more" else _with_other(value, told.place)
        if exchange.answer:
            headers["content-type"] = "application/json"
            content = json.dumps(value).encode()
        return Reply(status, Headers(headers), content)


def _status(exchange: Exchange, usual: int) -> int:
    if exchange.status.isdigit():
        return int(exchange.status)
    if exchange.refused:
        return usual if 400 <= usual < 500 else 400
    return usual if usual < 300 else 200


def _value(exchange: Exchange, reply: Reply) -> Any:
    """What is told of the content, beside what the contract says of it where it is told in part."""
    told = exchange.answer[0]
    if not exchange.in_part:
        return told
    try:
        usual = reply.json()
    except ValueError:
        return told
    if isinstance(told, dict) and isinstance(usual, dict):
        return {**usual, **told}
    return [*usual, *told] if isinstance(told, list) and isinstance(usual, list) else told


def _with_more(value: Any) -> Any:
    if isinstance(value, dict):
        return {**value, "beside": "more"}
    return [*value, "more"] if isinstance(value, list) else [value]


def _with_other(value: Any, name: str) -> Any:
    """The content with another value of one field, or as a whole another where no field is named."""
    if name and isinstance(value, dict):
        return {**value, name: "another value" if value.get(name) != "another value" else None}
    return [] if value != [] else None
