"""What the library owns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path


class LibraryError(Exception):
    """Something that the person at the desk has to be told."""


class UnknownItem(LibraryError, KeyError):
    """No item has this number."""


@dataclass
class Item:
    """One thing on a shelf."""

    number: int
    title: str
    author: str


class Catalogue:
    """All items by number."""

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._items = {item.number: item for item in items}

    @classmethod
    def load(cls, path: Path) -> Catalogue:
        """The catalogue that a file holds."""
        return cls(Item(**entry) for entry in json.loads(path.read_text(encoding="utf-8")))

    def save(self, path: Path) -> None:
        """Write the catalogue to a file."""
        entries = [asdict(item) for item in self]
        path.write_text(json.dumps(entries, indent=2), encoding="utf-8")

    def add(self, title: str, author: str) -> Item:
        """Take in a new item under the next free number."""
        item = Item(max(self._items, default=0) + 1, title, author)
        self._items[item.number] = item
        return item

    def remove(self, number: int) -> None:
        """Take an item out of the catalogue."""
        del self._items[self.item(number).number]

    def item(self, number: int) -> Item:
        """The item with this number."""
        if number not in self._items:
            raise UnknownItem(f"There is no item {number}.")
        return self._items[number]

    def search(self, query: str, *, limit: int = 10) -> list[Item]:
        """The items whose title or author contains a text, in any case."""
        wanted = query.casefold()
        found = [item for item in self if wanted in f"{item.title}\n{item.author}".casefold()]
        return found[:limit]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items.values())
