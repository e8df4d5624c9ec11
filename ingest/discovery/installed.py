"""The distributions in a project's environment, whose source is only read where the project's own code leads there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

import msgspec

from graph.facts import Skipped
from graph.patterns import pattern
from ingest.text import LIMIT, decode

_PACKAGES: Final = ("lib/python3*/site-packages", "lib64/python3*/site-packages", "Lib/site-packages")
_REQUIRED = pattern(r"^Requires-Dist: *([\w.-]+)", re.MULTILINE)
_CLASSIFIED = pattern(r"^Classifier: Framework :: (?:Django|FastAPI|Flask|Pydantic)\b", re.MULTILINE)
_RECORDED = pattern(r"^([^/,\n.]+)(?:/|\.py,)", re.MULTILINE)
_PLAIN = pattern(r"[-.]+")

DESCRIBING: Final = frozenset(
    {
        *("fastapi", "pydantic", "sqlmodel", "starlette"),
        *("django", "djangorestframework", "django_ninja", "django_ninja_extra"),
        *("flask", "flask_smorest", "flask_restx", "apiflask", "marshmallow", "marshmallow_sqlalchemy"),
        *("litestar", "msgspec"),
    }
)
"""What a distribution requires that has models, views or dependencies of web services in it."""


class Source(msgspec.Struct, frozen=True):
    """A file of an installed distribution, as an absolute path; `package` tells an `__init__.py`."""

    path: str
    package: bool


class Installed:
    """Finds modules of the distributions of one environment that require one of the `wanted` ones, or say of themselves
    that they are made for such a framework.

    Folders that an environment only points to (an editable installation, a workspace) are looked into whatever is
    required there. With `within`, no file is read that lies elsewhere, wherever links and `.pth` files lead: an
    environment that a project brings with it is not to be trusted more than the project.
    """

    def __init__(
        self, environment: Path, wanted: Collection[str] = DESCRIBING, within: Path | None = None
    ) -> None:
        self._environment = environment
        self._wanted = frozenset(wanted)
        self._within = within.resolve() if within is not None else None
        self._known: dict[str, Source | None] = {}

    def find(self, module: str) -> Source | None:
        """The file of a module by its dotted name; None where it is not installed or of no interest."""
        if module not in self._known:
            self._known[module] = self._find(module)
        return self._known[module]

    def state(self, module: str) -> str:
        """What tells a changed file of a module from the one that was read; empty where there is none."""
        found = self.find(module)
        if found is None:
            return ""
        try:
            status = Path(found.path).stat()
        except OSError:
            return ""
        return f"{found.path} {status.st_size} {status.st_mtime_ns}"

    def text(self, module: str) -> str:
        """The source of a module that was found; empty where it cannot be read."""
        found = self.find(module)
        return _read(Path(found.path)) if found is not None else ""

    def version(self, distribution: str) -> str:
        """The version of a distribution; empty where it is not installed."""
        described = self._distributions.get(_PLAIN.sub("_", distribution).lower())
        return described.name.removesuffix(".dist-info").partition("-")[2] if described is not None else ""

    def _find(self, module: str) -> Source | None:
        parts = module.split(".")
        if not all(part.isidentifier() for part in parts):
            return None
        for folder in self._folders:
            if (folder / parts[0]).is_dir() or (folder / f"{parts[0]}.py").is_file():
                if not self._is_wanted(parts[0]):
                    continue
                if (found := self._file(folder, parts)) is not None:
                    return found
        pointed = (self._file(folder, parts) for folder in self._pointed)
        return next((each for each in pointed if each is not None), None)

    def _file(self, folder: Path, parts: list[str]) -> Source | None:
        """The file of a module below a folder, if it is one and lies where files may be read."""
        place = folder.joinpath(*parts)
        for path, package in ((place / "__init__.py", True), (place.with_name(f"{place.name}.py"), False)):
            if path.is_file() and (self._within is None or path.resolve().is_relative_to(self._within)):
                return Source(path.as_posix(), package)
        return None

    @cached_property
    def _folders(self) -> tuple[Path, ...]:
        found = {each.resolve(): each for pattern in _PACKAGES for each in self._environment.glob(pattern)}
        return tuple(sorted(found.values()))

    @cached_property
    def _pointed(self) -> tuple[Path, ...]:
        """The folders that `.pth` files name."""
        lines = (
            line.strip()
            for path in self._described("*.pth")
            for line in _read(path).splitlines()
            if line.strip()
        )
        return tuple(
            dict.fromkeys(Path(line) for line in lines if Path(line).is_absolute() and Path(line).is_dir())
        )

    def _described(self, pattern: str) -> Iterator[Path]:
        for folder in self._folders:
            yield from sorted(folder.glob(pattern))

    def _is_wanted(self, root: str) -> bool:
        """Whether a distribution that has this package requires one of the wanted ones."""
        named = self._distributions.get(root.lower())
        return any(self._requires(each) for each in ([named] if named else self._owners.get(root, ())))

    def _requires(self, described: Path) -> bool:
        text = _read(described / "METADATA").partition("\n\n")[0]
        named = (_PLAIN.sub("_", name).lower() for name in _REQUIRED.findall(text))
        return any(name in self._wanted for name in named) or bool(_CLASSIFIED.search(text))

    @cached_property
    def _distributions(self) -> dict[str, Path]:
        """Where each distribution is described, by the name that its package mostly has."""
        return {_PLAIN.sub("_", p.name.partition("-")[0]).lower(): p for p in self._described("*.dist-info")}

    @cached_property
    def _owners(self) -> dict[str, list[Path]]:
        """The distributions of each top-level package, as their lists of files tell."""
        found: dict[str, list[Path]] = {}
        for described in self._described("*.dist-info"):
            for root in set(_RECORDED.findall(_read(described / "RECORD"))):
                found.setdefault(root, []).append(described)
        return found


def environment_of(python: Path) -> Path | None:
    """The virtual environment that an interpreter belongs to."""
    folder = python.parent.parent
    return folder if (folder / "pyvenv.cfg").is_file() else None


def _read(path: Path) -> str:
    try:
        if not path.is_file() or path.stat().st_size > LIMIT:
            return ""
        text = decode(str(path), path.read_bytes())
    except OSError:
        return ""
    return "" if isinstance(text, Skipped) else text
