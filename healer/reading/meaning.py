"""The records of what expressions of tests stand for, and what a file of tests has to know to tell it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple, Protocol


class Sort(Enum):
    """In which way an expression stands for something."""

    NAME = auto()
    """It is the module, class, function or attribute itself."""
    MEMBER = auto()
    """It is a member of an object of a class."""
    OBJECT = auto()
    """It is an object of a class of the code."""
    LOCAL = auto()
    """It is an object of a class of the tests, whose bases may be the code's."""
    OTHER = auto()
    """It surely is nothing of the code: a literal, say."""


class Meaning(NamedTuple):
    """What an expression stands for: a dotted name as it was written through imports, or a canonical one of a class.

    `node` is the definition where it is one of the tests, and `home` the file that it stands in.
    """

    sort: Sort
    name: str = ""
    node: ast.AST | None = None
    home: Home | None = None


OTHER = Meaning(Sort.OTHER)


class Home(Protocol):
    """The file that a definition of the tests stands in."""

    def bases(self, node: ast.ClassDef, depth: int = ...) -> list[str]:
        """The canonical names of the code's classes that a class of the file derives from."""

    def inherited(self, node: ast.ClassDef, name: str) -> str:
        """The canonical name of a member that a class of the file has from the code's."""

    def of_local(self, owner: ast.ClassDef, name: str, depth: int) -> Meaning | None:
        """What a member of an object of a class of the file stands for."""

    def given(self, node: ast.FunctionDef | ast.AsyncFunctionDef, depth: int) -> Meaning | None:
        """What a function of the file gives."""


class Around(Protocol):
    """What a file of tests knows of those around it."""

    def absolute(self, path: str, module: str, level: int) -> str:
        """The dotted name of a module as a file imports it."""

    def fixture(
        self, path: str, name: str, asking: ast.FunctionDef | ast.AsyncFunctionDef, depth: int
    ) -> Meaning | None:
        """What the fixture of this name gives in a file."""

    def fixtures(self, path: str, name: str) -> Iterator[tuple[Home, ast.FunctionDef | ast.AsyncFunctionDef]]:
        """The fixtures of a name that a file can ask for, the nearest first."""

    def is_helper(self, name: str) -> bool:
        """Whether a dotted name lies in a module of the tests."""

    def named(self, name: str, depth: int) -> Meaning | None:
        """What a dotted name of the tests' own helpers stands for."""


def same(meanings: list[Meaning | None]) -> Meaning | None:
    """What all of them mean; `None` where they differ or one is not known."""
    first = meanings[0] if meanings else None
    return first if all(each == first for each in meanings) else None
