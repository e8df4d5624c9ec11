"""What twins answer with, and the ways in which twins of one spec differ."""

from __future__ import annotations

import json
from typing import Any

import msgspec


class Variant(msgspec.Struct, frozen=True):
    """What a spec leaves open, settled one way: where numbers start, fields and headers beside, words of errors."""

    name: str
    first: int = 1
    extra: bool = False
    optional: bool = True
    words: str = "something is wrong"


VARIANTS = (
    Variant("plain"),
    Variant("talkative", first=41, extra=True, words="That cannot be done: please look at the manual!"),
    Variant("terse", first=7, optional=False, words="no"),
)


class Headers(dict[str, str]):
    """Headers, whose names are found in whatever case; they are kept in lower case."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and super().__contains__(name.lower())

    def __getitem__(self, name: str) -> str:
        return super().__getitem__(name.lower())


class Reply(msgspec.Struct, frozen=True):
    """An answer as tests see it, whatever client they know: `json()` and `get_json()`, `text`, `content`, `data`."""

    status_code: int
    headers: Headers
    content: bytes

    @property
    def text(self) -> str:
        """The content as text."""
        return self.content.decode()

    @property
    def data(self) -> bytes:
        """The content as bytes."""
        return self.content

    def json(self) -> Any:
        """The content as JSON."""
        return json.loads(self.content)

    def get_json(self) -> Any:
        """The content as JSON, as Flask calls it."""
        return json.loads(self.content)
