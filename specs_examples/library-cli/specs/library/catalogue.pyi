"""What the library owns."""

from collections.abc import Iterable, Iterator
from pathlib import Path

class LibraryError(Exception):
    """Something that the person at the desk has to be told."""

class UnknownItem(LibraryError, KeyError):
    """No item has this number."""

class Item:
    """One thing on a shelf."""

    number: int
    title: str
    author: str
    shelf: str
    def __init__(self, number: int, title: str, author: str) -> None: ...

class Catalogue:
    """All items by number."""

    def __init__(self, items: Iterable[Item] = ()) -> None: ...
    @classmethod
    def load(cls, path: Path) -> Catalogue:
        """The catalogue that a file holds."""

    def save(self, path: Path) -> None:
        """Write the catalogue to a file."""

    def add(self, title: str, author: str) -> Item:
        """Take in a new item under the next free number."""

    def item(self, number: int) -> Item:
        """The item with this number.

        Raises:
            UnknownItem: there is none.
        """

    def search(self, text: str, *, limit: int = 10) -> list[Item]:
        """The items whose title or author contains a text, in any case."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Item]: ...
