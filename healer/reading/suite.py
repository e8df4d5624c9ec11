"""The files of tests that an attempt may touch: those of the failures, their `conftest.py` files, and their helpers."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import PurePosixPath

from healer.reading.bindings import Bindings
from healer.reading.meaning import Meaning
from healer.reading.meanings import Meanings
from healer.reading.source import Source
from healer.reading.world import World

_CONFTEST = "conftest.py"


class Suite:
    """Files of tests with what their expressions mean; each is parsed once, those that are no Python are left out."""

    def __init__(self, read: Callable[[str], str | None], world: World) -> None:
        self.world = world
        self._read = read
        self._files: dict[str, Meanings | None] = {}
        self._packages: dict[str, str] = {}

    def file(self, path: str) -> Meanings | None:
        """A file with the meanings of its expressions; `None` where there is none that can be read."""
        if path not in self._files:
            self._files[path] = None
            text = self._read(path)
            if text is not None:
                self._files[path] = self.of_text(path, text)
        return self._files[path]

    def of_text(self, path: str, text: str) -> Meanings | None:
        """A text as that of a file of the suite; `None` where it is no Python."""
        try:
            source = Source(path, text)
        except SyntaxError:
            return None
        return Meanings(source, Bindings(source.tree), self.world, self)

    def reach(self, paths: Iterable[str]) -> list[str]:
        """The files that an attempt for failures in these files may touch, those first."""
        found = dict.fromkeys(path for path in paths if self.file(path) is not None)
        waiting = list(found)
        while waiting:
            path = waiting.pop(0)
            for other in (*self._conftests(path), *self._helpers(path)):
                if other not in found and self.file(other) is not None:
                    found[other] = None
                    waiting.append(other)
        return list(found)

    def absolute(self, path: str, module: str, level: int) -> str:
        """The dotted name of a module as a file imports it."""
        if not level:
            return module
        parts = self._module(path).split(".")
        is_package = path.endswith("__init__.py")
        base = parts[: len(parts) - level + (1 if is_package else 0)]
        return ".".join([*base, *([module] if module else [])])

    def fixture(
        self, path: str, name: str, asking: ast.FunctionDef | ast.AsyncFunctionDef, depth: int
    ) -> Meaning | None:
        """What the fixture of this name gives in a file; `None` where there is none, or it does not tell."""
        for meanings, function in self.fixtures(path, name):
            if function is not asking:
                return meanings.given(function, depth)
        return None

    def fixtures(
        self, path: str, name: str
    ) -> Iterator[tuple[Meanings, ast.FunctionDef | ast.AsyncFunctionDef]]:
        """The fixtures of a name that a file can ask for, the nearest first."""
        for each in (path, *self._conftests(path)):
            meanings = self.file(each)
            if meanings is not None:
                for node in meanings.fixtures.get(name, ()):
                    yield meanings, node

    def is_helper(self, name: str) -> bool:
        """Whether a dotted name is, or lies in, a module of the tests that is there."""
        places = [
            path for module in (name, name.rpartition(".")[0]) if module for path in self._paths(module)
        ]
        return any(self._read(path) is not None for path in places)

    def named(self, name: str, depth: int) -> Meaning | None:
        """What a dotted name of the tests' own helpers stands for; `None` where it is none of theirs."""
        found = self._defined(name)
        if found is None:
            return None
        meanings, local = found
        return meanings.bound(meanings.bindings.module, local, depth - 1) if depth > 0 else None

    def _defined(self, name: str) -> tuple[Meanings, str] | None:
        module, _, local = name.rpartition(".")
        if not module or self.world.module_of(name):
            return None
        for path in self._paths(module):
            meanings = self._files.get(path)
            if meanings is not None and local in meanings.bindings.module.bound:
                return meanings, local
        return None

    def _conftests(self, path: str) -> list[str]:
        folder, found = posixpath.dirname(path), []
        while True:
            found.append(posixpath.join(folder, _CONFTEST))
            if not folder:
                return [each for each in found if each != path]
            folder = posixpath.dirname(folder)

    def _helpers(self, path: str) -> Iterator[str]:
        """The modules of the tests that a file imports: they lie beside or below it, or in a folder of tests."""
        meanings = self.file(path)
        if meanings is None:
            return
        for _, statement in meanings.bindings.imports():
            for alias in statement.names:
                target = meanings.imported(alias)
                for module in (target, target.rpartition(".")[0]):
                    if module and not self.world.is_module(module):
                        yield from self._paths(module, path)

    def _paths(self, module: str, beside: str = "") -> list[str]:
        """Where the file of a module of the tests may lie."""
        inside = module.replace(".", "/")
        folders = {posixpath.dirname(beside)} if beside else set(map(posixpath.dirname, self._files))
        found = []
        for folder in sorted({"", *folders}):
            for file in (f"{inside}.py", f"{inside}/__init__.py"):
                path = posixpath.join(folder, file)
                if folder or is_of_tests(path):
                    found.append(path)
        return found

    def _module(self, path: str) -> str:
        """The dotted name of a file, by the packages that it lies in."""
        if path not in self._packages:
            file = PurePosixPath(path)
            parts = [] if file.name == "__init__.py" else [file.stem]
            for folder in file.parents:
                if str(folder) == "." or self._read(str(folder / "__init__.py")) is None:
                    break
                parts.insert(0, folder.name)
            self._packages[path] = ".".join(parts)
        return self._packages[path]


@lru_cache(maxsize=10_000)
def is_of_tests(path: str) -> bool:
    """Whether a path is one of tests by its name or by the folders that it lies in."""
    return is_collected(path) or any(part in ("test", "tests", "testing") for part in path.split("/")[:-1])


def is_collected(path: str) -> bool:
    """Whether nobody imports from a file: it is one that pytest collects by its name, or a `conftest.py`."""
    name = posixpath.basename(path)
    is_top = path in ("test.py", "tests.py")
    return is_top or name == _CONFTEST or name.startswith("test_") or name.endswith("_test.py")
