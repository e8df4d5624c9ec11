"""What criteria tell of answers, which a twin gives where it is asked exactly so, in the order in which it is told."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from engine.twins.mutation import Mutation
from engine.twins.replies import Headers, Reply
from planner.contracts.paths import matched
from planner.stories.exchanges import Exchange, Listed

_FIELD = re.compile(r"\{(\w+)\}")


class Script:
    """The exchanges of one criterion, and how far they were followed; `mutation` may break one of them."""

    def __init__(self, exchanges: tuple[Exchange, ...], mutation: Mutation | None) -> None:
        self._exchanges = exchanges
        self._mutation = mutation
        self._next = 0

    def named(self) -> list[str]:
        """The fields of answers that later paths are told to name: `{id}`."""
        told = ((each, name) for each in self._exchanges for name in _FIELD.findall(each.path))
        return list(
            dict.fromkeys(each.sources[name][1] if name in each.sources else name for each, name in told)
        )

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
            or not _is_sent(body, exchange)
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
        value = _value(exchange, reply) if exchange.answer or exchange.counted or exchange.listed else None
        told = self._mutation
        if told is not None and told.kind.startswith("told-") and told.value == self._next - 1:
            if told.kind == "told-status":
                status = 418 if status != 418 else 200
            elif told.kind == "told-header":
                headers.pop(told.place.lower(), None)
            else:
                value = _broken(value, told.kind, told.place, exchange)
        if exchange.answer or exchange.counted or exchange.listed:
            headers["content-type"] = "application/json"
            content = json.dumps(value).encode()
        return Reply(status, Headers(headers), content)


def _is_sent(body: Any, exchange: Exchange) -> bool:
    """Whether a body is the one that is told, or has what is told of one that is completed."""
    if not exchange.completed or not isinstance(exchange.body, dict):
        return bool(body == exchange.body) or exchange.completed
    return isinstance(body, dict) and all(body.get(name) == each for name, each in exchange.body.items())


def _status(exchange: Exchange, usual: int) -> int:
    if exchange.status.isdigit():
        return int(exchange.status)
    if exchange.refused:
        return usual if 400 <= usual < 500 else 400
    return usual if usual < 300 else 200


def _value(exchange: Exchange, reply: Reply) -> Any:
    """What is told of the content, beside what the contract says of it where it is told in part or counted."""
    if exchange.answer and not exchange.in_part:
        return exchange.answer[0]
    try:
        usual = reply.json()
    except ValueError:
        usual = None
    for field, count in exchange.counted.items():
        usual = _of_length(usual, field, count)
    if exchange.listed is not None:
        usual = _listing(usual, exchange.listed)
    told = exchange.answer[0] if exchange.answer else usual
    if isinstance(told, dict) and isinstance(usual, dict):
        return {**usual, **told}
    return [*usual, *told] if exchange.answer and isinstance(told, list) and isinstance(usual, list) else told


def _of_length(value: Any, field: str, count: int) -> Any:
    """The content with a list of so many items, as a whole or in a field."""
    if field:
        whole = value if isinstance(value, dict) else {}
        return {**whole, field: _of_length(whole.get(field), "", count)}
    items = value if isinstance(value, list) else []
    return [*items, *[{}] * count][:count]


def _listing(value: Any, told: Listed) -> Any:
    """The content with a list that shows what is told of it, before whatever else it has."""
    if told.place:
        whole = value if isinstance(value, dict) else {}
        return {**whole, told.place: _listing(whole.get(told.place), msgspec.structs.replace(told, place=""))}
    items = [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
    known = {str(each.get(told.field)): each for each in items}
    shown = [known.get(str(each), {told.field: each}) for each in told.values]
    return [
        *shown,
        *(each for each in items if each.get(told.field) not in told.among and told.field in each),
    ]


def _with_one_more(value: Any, place: str) -> Any:
    items = value.get(place) if place else value
    return _of_length(value, place, len(items) + 1)


def _broken(value: Any, kind: str, place: str, exchange: Exchange) -> Any:
    """The content with one place of it as it is not told."""
    if exchange.listed is not None and kind in ("told-left-out", "told-turned"):
        told = exchange.listed
        values = (
            told.values[::-1] if kind == "told-turned" else told.values[1:] if told.values else told.among[:1]
        )
        return _listing(value, msgspec.structs.replace(told, values=values))
    if kind == "told-more":
        return _with_more(value)
    return _with_one_more(value, place) if kind == "told-count" else _with_other(value, place)


def _with_more(value: Any) -> Any:
    if isinstance(value, dict):
        return {**value, "beside": "more"}
    return [*value, "more"] if isinstance(value, list) else [value]


def _with_other(value: Any, name: str) -> Any:
    """The content with another value of one field, or as a whole another where no field is named."""
    if name and isinstance(value, dict):
        return {**value, name: "another value" if value.get(name) != "another value" else None}
    return [] if value != [] else None
