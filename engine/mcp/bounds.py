"""Keeps answers small and inert: lists come in pages, long texts are cut, and no character can steer who reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from crossval.report.escape import clean
from engine.mcp.asked import Paged
from graph.facts import Json

PAGE = 40_000
"""Bytes of JSON from which on a page takes no further item."""

_TEXT = 4_000
_VALUE = 12_000
_ITEMS = 100
_DEPTH = 12

_encode = msgspec.json.Encoder(enc_hook=str).encode

_Item = TypeVar("_Item")
_Record = TypeVar("_Record")


def page(
    items: Sequence[_Item], asked: Paged, told: Callable[[_Item], _Record]
) -> tuple[tuple[_Record, ...], int | None]:
    """The records of the items that are asked for, as many as fit, and the offset of the next page, if there is one."""
    records, taken = fitting(map(told, items[asked.offset : asked.offset + asked.limit]))
    following = asked.offset + taken
    return records, following if following < len(items) else None


def fitting(records: Iterable[_Record]) -> tuple[tuple[_Record, ...], int]:
    """The first records that fit into one answer, at least one where there are some, and how many they are."""
    kept: list[_Record] = []
    size = 0
    for record in records:
        size += len(_encode(record))
        if kept and size > PAGE:
            break
        kept.append(record)
    return tuple(kept), len(kept)


def value(anything: Json) -> Json:
    """A JSON value from the project, bounded: what goes beyond is left out and says so."""
    return _bounded(anything, [_VALUE], _DEPTH)


def _bounded(anything: Json, left: list[int], depth: int) -> Json:
    if isinstance(anything, str):
        shown = text(anything, min(_TEXT, max(left[0], 40)))
        left[0] -= len(shown)
        return shown
    if isinstance(anything, int) and anything.bit_length() > 4_096:
        return hex(anything)[:60] + "…"
    if not isinstance(anything, (dict, list, tuple)):
        left[0] -= 8
        return anything
    if depth == 0 or left[0] <= 0:
        return "…"
    if isinstance(anything, dict):
        return _bounded_dict(anything, left, depth)
    items: list[Any] = []
    for index, item in enumerate(anything):
        if index == _ITEMS or left[0] <= 0:
            items.append(f"… {len(anything) - index} more")
            break
        items.append(_bounded(item, left, depth - 1))
    return items


def _bounded_dict(anything: dict[str, Json], left: list[int], depth: int) -> Json:
    entries: dict[str, Json] = {}
    for index, (key, item) in enumerate(anything.items()):
        if index == _ITEMS or left[0] <= 0:
            entries["…"] = f"{len(anything) - index} more"
            break
        left[0] -= len(key)
        entries[text(str(key), 1_000)] = _bounded(item, left, depth - 1)
    return entries


def text(words: str, most: int = _TEXT) -> str:
    """Words from the project, cut where they are longer than an answer needs."""
    return words if len(words) <= most else f"{words[:most]}… ({len(words) - most} more characters)"


def inert(document: Json) -> Json:
    """A document in which control, bidirectional and other hidden characters are shown as escapes."""
    if isinstance(document, str):
        return clean(document)
    if isinstance(document, dict):
        return {clean(key): inert(item) for key, item in document.items()}
    if isinstance(document, (list, tuple)):
        return [inert(item) for item in document]
    return document
