"""The port that every reader implements, and what it is given."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

import msgspec

from graph.facts import Extract


class Role(StrEnum):
    """What discovery takes a file for; a reader claims files by role, or, as `OTHER`, by suffix."""

    PYTHON = "python"
    TEST = "test"
    STUB = "stub"
    CONTRACT = "contract"
    FEATURE = "feature"
    STORY = "story"
    PAGE = "page"
    OTHER = "other"
    IGNORED = "ignored"


class Document(msgspec.Struct, frozen=True):
    """One file to be read: its place, its role and its whole text.

    `path` is relative to the project root with `/`; `module` is the dotted module name of Python files and
    stubs (`shop.pricing`; a package's `__init__` has the package's name), else empty. `text` was decoded
    strictly, has no byte order mark, and keeps its line ends (`\\n`, `\\r\\n`, `\\r`).
    `root` is the project root as an absolute path, for readers that follow references to other files;
    everything but contracts must be read from `text` alone.
    """

    path: str
    role: Role
    text: str
    module: str = ""
    root: str = ""


class Ingestor(Protocol):
    """Translates one language of specs or code into facts.

    `version` is raised whenever the reader's output changes, so that stored facts are read again.
    A reader of a language that discovery does not know has `suffixes` too: a frozenset such as `{".proto"}`; files
    that end so are read whatever they hold.
    """

    @property
    def name(self) -> str:
        """What the reader is called; stored facts say who read them."""
        ...

    @property
    def version(self) -> int:
        """Raised with every change of the output."""
        ...

    @property
    def roles(self) -> frozenset[Role]:
        """The roles of the files that it reads."""
        ...

    def read(self, document: Document) -> Extract:
        """All facts of one document. Never raises for what is wrong in the document: it yields values."""
        ...


def suffixes_of(ingestor: Ingestor) -> frozenset[str]:
    """The suffixes of the files that a reader claims beyond its roles."""
    return frozenset(getattr(ingestor, "suffixes", ()))
