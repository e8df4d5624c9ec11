"""Where notes are kept."""

from __future__ import annotations

from typing import Any

from aiohttp import web

NOTES: dict[str, dict[str, Any]] = {}


def find(key: str) -> dict[str, Any]:
    """The note of this key."""
    note = NOTES.get(key)
    if note is None:
        raise web.HTTPNotFound(reason="no such note")
    return note


def limit(request: web.Request) -> int:
    """How many notes are asked for."""
    return int(request.query.get("limit", "20"))
