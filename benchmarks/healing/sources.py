"""A package with its tests, as texts in memory, and what it defines."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class Sources(NamedTuple):
    """The texts of a package's modules and of its tests, by path; `folder` is that of the package."""

    package: str
    folder: str
    code: Mapping[str, str]
    tests: Mapping[str, str]

    def module(self, path: str) -> str:
        """The dotted name of a module of the package."""
        inside = path.removeprefix(self.folder).removesuffix(".py").removesuffix("__init__").strip("/")
        return ".".join([self.package, *filter(None, inside.split("/"))])

    def path(self, module: str) -> str | None:
        """The path of a module of the package, where there is one of that name."""
        return next((path for path in self.code if self.module(path) == module), None)

    def imported(self, path: str, node: ast.ImportFrom) -> str:
        """The dotted name of the module that a `from … import` reads, seen from the file at `path`."""
        if not node.level:
            return node.module or ""
        parts = self.module(path).split(".") if path in self.code else []
        if not path.endswith("/__init__.py"):
            parts = parts[:-1]
        parts = parts[: len(parts) - node.level + 1]
        return ".".join([*parts, *([node.module] if node.module else [])])


class Change(NamedTuple):
    """One change: its cause, what it is about, and all sources after it, tests changed along.

    `words` says it in a line. `damaged` are the tests before they are mended, where the change begins in them. `mend`
    gives the mended text of a test file from its text and the names of its red functions, where the change alone does
    not say which tests to mend.
    """

    cause: str
    subject: str
    words: str
    after: Sources
    damaged: Mapping[str, str] | None = None
    mend: Callable[[str, frozenset[str]], str] | None = None


class Definition(NamedTuple):
    """Something that a module of the package defines: `kind` is `function`, `class`, `method` or `attribute`."""

    kind: str
    path: str
    owner: ast.ClassDef | None
    name: str
    node: ast.stmt

    @property
    def place(self) -> str:
        """The name within the module."""
        return f"{self.owner.name}.{self.name}" if self.owner else self.name


@lru_cache(maxsize=512)
def parse(text: str) -> ast.Module:
    """The tree of a text; nobody changes it."""
    return ast.parse(text)


def definitions(sources: Sources) -> list[Definition]:
    """What the modules of the package define at their top level and in their classes, in the order of the text."""
    found: list[Definition] = []
    for path, text in sorted(sources.code.items()):
        for node in parse(text).body:
            found += _of_statement(path, None, node)
            if isinstance(node, ast.ClassDef):
                for each in node.body:
                    found += _of_statement(path, node, each)
    return found


def _of_statement(path: str, owner: ast.ClassDef | None, node: ast.stmt) -> Iterator[Definition]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield Definition("method" if owner else "function", path, owner, name, node)
        case ast.ClassDef(name=name):
            yield Definition("class", path, owner, name, node)
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            yield Definition("attribute", path, owner, name, node)


@lru_cache(maxsize=512)
def bound(text: str) -> Counter[str]:
    """How often each name is bound in a text, in whatever scope: definitions, parameters, targets, attributes."""
    counted: Counter[str] = Counter()
    for node in ast.walk(parse(text)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                counted[name] += 1
            case ast.arg(arg=name):
                counted[name] += 1
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                counted[name] += 1
            case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
                counted[name] += 1
    return counted


def unique(sources: Sources) -> list[Definition]:
    """The definitions whose name the package binds nowhere else, and builtin objects do not have, and tests mention."""
    times: Counter[str] = sum((bound(text) for text in sources.code.values()), Counter())
    return [
        each
        for each in definitions(sources)
        if times[each.name] == 1
        and not each.name.startswith("__")
        and each.name not in BUILTIN
        and is_mentioned(sources.tests, each.name)
    ]


def is_mentioned(texts: Mapping[str, str], name: str) -> bool:
    """Whether any of the texts has the name as a word."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    return any(word.search(text) for text in texts.values())


BUILTIN = frozenset(
    name
    for type_ in (object, dict, list, str, bytes, int, float, set, tuple, BaseException, re.Pattern, re.Match)
    for name in dir(type_)
) | frozenset(dir(__builtins__) if not isinstance(__builtins__, dict) else __builtins__)
