"""Answers that stories tell with places left open: `{"id": N+1, "name": "x"}`, `{"id": "<uuid>"}`, `{"id": 1, ...}`."""

from __future__ import annotations

import json
import re

from graph.facts import Json

_STRING = r'"(?:[^"\\]|\\.)*"'
_OPEN_VALUE = re.compile(
    rf"(?P<kept>{_STRING})|(?P<before>[:\[,]\s*)(?P<open><[^<>\n]*>|\.\.\.|…|(?!true\b|false\b|null\b)[A-Za-z_][\w.]*(?:\s*[+*/-]\s*\w+)*)"
    r"(?=\s*[,}\]])"
)
_REST = re.compile(rf"(?P<kept>{_STRING})|,?\s*(?:\.\.\.|…)\s*(?=\}})")
_OPEN = "\0open"
# Texts that stand for any: `"<uuid>"`, `"..."`, `"{token}"`.
_ANY_TEXT = re.compile(r"<[^<>]*>|\{[^{}]*\}|\.\.\.|…|\*+")


def told_values(text: str) -> tuple[Json, bool]:
    """What a text in JSON tells, and whether it leaves something open: fields that are open are left out.

    Raises ValueError where it is no JSON even so, or tells no field and no value.
    """
    has_rest = False

    def rest(match: re.Match[str]) -> str:
        nonlocal has_rest
        if match["kept"] is not None:
            return match[0]
        has_rest = True
        return ""

    try:
        value = json.loads(text)
    except ValueError:
        closed = _OPEN_VALUE.sub(
            lambda match: match["kept"] or f"{match['before']}{json.dumps(_OPEN)}", _REST.sub(rest, text)
        )
        value = json.loads(closed)
    if isinstance(value, dict):
        told = {name: each for name, each in value.items() if not _is_open(each)}
        return told, has_rest or len(told) < len(value)
    if _is_open(value):
        raise ValueError(text)
    return value, has_rest


def _is_open(value: Json) -> bool:
    if isinstance(value, dict):
        return any(_is_open(each) for each in value.values())
    if isinstance(value, list):
        return any(map(_is_open, value))
    return isinstance(value, str) and (value == _OPEN or _ANY_TEXT.fullmatch(value) is not None)
