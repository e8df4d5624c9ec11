"""Fences: what comes from a project stands between lines that it cannot contain, and a reply may stand in a block."""

from __future__ import annotations

import hashlib
import re

_BLOCK = re.compile(r"\A\s*```(?:json)?\s*\n(.*?)\n?```\s*\Z", re.DOTALL)


def fence_of(data: str) -> str:
    """The line around some text in a prompt: no text can hold a digest of itself, so none can close it."""
    return f"=={hashlib.blake2b(data.encode(errors='replace'), digest_size=8).hexdigest()}=="


def unfenced(reply: str) -> str:
    """A reply without the block of Markdown that models like to put around JSON."""
    block = _BLOCK.match(reply)
    return block[1] if block else reply
