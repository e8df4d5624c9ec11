"""The project's folders, visited once each: the files that could be sources, with their sizes and times."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from graph.compiled import compiled
from graph.facts import Skipped
from ingest.discovery.ignore import Patterns, ignored, patterns_above, read_patterns
from ingest.text import too_large

_SUFFIXES = frozenset({"py", "pyi", "feature", "md", "markdown", "rst", "yaml", "yml", "json"})
_COMPILED = frozenset({"so", "pyd", "pyx"})
# Sources of languages in which modules for Python are written.
_NATIVE = frozenset({"c", "cc", "cpp", "cxx", "rs", "f90", "zig", "nim"})
_PROJECT_FILES = frozenset({"pyproject.toml", "setup.py", "setup.cfg", "manage.py", "METADATA.toml"})
# Folders that hold nothing of the project's own; they are passed over without a word.
_SILENT = frozenset(
    [
        ".git",
        ".hg",
        ".svn",
        ".bzr",
        ".jj",
        "CVS",
        "_darcs",
        ".crossfact",
        ".venv",
        "__pycache__",
        "__pypackages__",
        "node_modules",
        "bower_components",
        "site-packages",
        ".tox",
        ".nox",
        ".eggs",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".pytype",
        ".hypothesis",
        ".cache",
        ".import_linter_cache",
        ".ipynb_checkpoints",
        ".idea",
        ".vscode",
        "htmlcov",
    ]
)
# What OpenSpec keeps of changes that were proposed, or done long ago: no spec that holds now.
_PROPOSED = compiled(r"(?:.*/)?openspec/changes")
_VENDORED = frozenset(["_vendor", "vendored", "_vendored", "third_party", "thirdparty", "3rdparty"])


class File(NamedTuple):
    """A file that could be a source, as `lstat` tells."""

    size: int
    mtime_ns: int
    inode: int


class _Folder(msgspec.Struct, frozen=True):
    """A folder to look into: its path, where it really is, and what is ignored there."""

    path: str
    real: str
    patterns: tuple[Patterns, ...]
    beside_project_file: bool = False
    named: bool = False


class Folders:
    """Visits folders below the root, each once, and remembers what it saw.

    `files` maps paths to what `lstat` told, `skipped` says what was left out, `unread` has the paths of compiled and
    too large files, and `native` those of sources in languages that modules are compiled from. `packages`, `projects`
    and `holders` are the folders with an `__init__`, with a project file (`pyproject.toml`, …), and with any file;
    `unpacked` are those into which a wheel was unpacked.
    """

    def __init__(
        self, root: Path, *, exclude: tuple[str, ...] = (), suffixes: tuple[str, ...] = (), limit: int
    ) -> None:
        self.files: dict[str, File] = {}
        self.skipped: list[Skipped] = []
        self.unread: dict[str, str] = {}
        self.native: list[str] = []
        self.packages: set[str] = set()
        self.projects: set[str] = set()
        self.holders: set[str] = set()
        self.unpacked: set[str] = set()
        self._root = root
        self._real_root = os.path.realpath(root)
        self._suffixes = _SUFFIXES.union(_suffix(suffix) for suffix in suffixes)
        self._limit = limit
        self._exclude = Patterns(exclude) if exclude else None
        self._above = patterns_above(Path(self._real_root))
        self._seen: set[str] = set()
        self._links: list[str] = []
        self._names: dict[str, set[str]] = {}

    def start(self, path: str) -> None:
        """Visit a folder, or take in a file, that was named; empty for the root. What ignores it is overruled."""
        self.skipped = [each for each in self.skipped if not f"{path}/".startswith(f"{each.path}/")]
        try:
            status = Path(self._absolute(path)).stat()
            real = self._inside(path)
        except OSError as error:
            self.skipped.append(Skipped(path or ".", 0, f"cannot be read: {error.strerror}"))
            return
        patterns = self._patterns_of(path)
        if real is None:
            self.skipped.append(Skipped(path, 0, "is or lies behind a link that leads out of the project"))
        elif stat.S_ISDIR(status.st_mode):
            self._visit(_Folder(path, real, patterns, named=True))
        elif path not in self.files and real not in self.files:
            self._take(path, status)

    def follow_links(self) -> None:
        """Take in what symbolic links lead to, where that lies in the root and was not visited otherwise."""
        real_files = set(self.files)
        while self._links:
            links, self._links = sorted(self._links), []
            for path in links:
                self._follow(path, real_files)

    def _follow(self, path: str, real_files: set[str]) -> None:
        suffix = _suffix(path)
        try:
            real = self._inside(path)
            status = Path(self._absolute(path)).stat()
        except OSError:
            if suffix in self._suffixes:
                self.skipped.append(Skipped(path, 0, "is a symbolic link that leads nowhere"))
            return
        folder = stat.S_ISDIR(status.st_mode)
        if not folder and suffix not in self._suffixes:
            return
        if real is None:
            self.skipped.append(Skipped(path, 0, "is or lies behind a link that leads out of the project"))
        elif folder:
            if not any(part in _SILENT for part in real.split("/")):
                self._visit(_Folder(path, real, self._patterns_of(path)))
        elif real not in real_files:
            real_files.add(real)
            self._take(path, status)

    def _visit(self, start: _Folder) -> None:
        pending = [start]
        while pending:
            folder = pending.pop()
            if folder.real in self._seen:
                continue
            entries = self._entries(folder.path)
            names = {entry.name for entry in entries}
            if not folder.named and self._is_foreign(folder, names):
                continue
            self._seen.add(folder.real)
            self._notice(folder.path, names)
            patterns = self._with_own(folder.patterns, folder.path, names)
            for entry in entries:
                if below := self._look_at(entry, folder, patterns):
                    pending.append(below)

    def _look_at(
        self, entry: os.DirEntry[str], folder: _Folder, patterns: tuple[Patterns, ...]
    ) -> _Folder | None:
        """Take in a file or note a link; a folder to visit is returned."""
        name = entry.name
        path = f"{folder.path}/{name}" if folder.path else name
        if entry.is_dir(follow_symlinks=False):
            if name.endswith(".dist-info"):
                self.unpacked.add(folder.path)
            if name in _SILENT or name.endswith((".egg-info", ".dist-info")):
                return None
            if self._is_ignored(patterns, path, folder=True):
                return None
            if name in _VENDORED:
                self.skipped.append(Skipped(path, 0, "is vendored: code of others"))
                return None
            if _PROPOSED.fullmatch(path):
                reason = (
                    "holds changes that were proposed or archived; name one with --stories to have it read"
                )
                self.skipped.append(Skipped(path, 0, reason))
                return None
            real = f"{folder.real}/{name}" if folder.real else name
            return _Folder(path, real, patterns, beside_project_file=folder.path in self.projects)
        if entry.is_symlink():
            if name not in _SILENT and not self._is_ignored(patterns, path, folder=False):
                self._links.append(path)
            return None
        suffix = _suffix(name)
        self.holders.add(folder.path)
        if suffix in _NATIVE:
            self.native.append(path)
        if (suffix in self._suffixes or suffix in _COMPILED) and not self._is_ignored(
            patterns, path, folder=False
        ):
            if suffix not in self._suffixes:
                self._leave_out(path, "is compiled, and cannot be read as source")
                return None
            try:
                self._take(path, entry.stat(follow_symlinks=False))
            except OSError as error:
                self.skipped.append(Skipped(path, 0, f"cannot be read: {error.strerror}"))
        return None

    def _take(self, path: str, status: os.stat_result) -> None:
        if not stat.S_ISREG(status.st_mode):
            self.skipped.append(Skipped(path, 0, "is not a regular file"))
        elif status.st_size > self._limit:
            self._leave_out(path, too_large(status.st_size, self._limit))
        else:
            self.files[path] = File(status.st_size, status.st_mtime_ns, status.st_ino)

    def _leave_out(self, path: str, reason: str) -> None:
        self.skipped.append(Skipped(path, 0, reason))
        self.unread[path] = reason

    def _is_ignored(self, patterns: tuple[Patterns, ...], path: str, *, folder: bool) -> bool:
        if self._exclude and self._exclude.verdict(path, folder=folder):
            return True
        return bool(patterns) and ignored(patterns, path, folder=folder)

    def _is_foreign(self, folder: _Folder, names: set[str]) -> bool:
        """Whether what lies in the folder shows that it is not the project's own source."""
        if "pyvenv.cfg" in names or "conda-meta" in names:
            return True
        if "__init__.py" in names or "__init__.pyi" in names:
            return False
        name = folder.path.rpartition("/")[2]
        if name == "vendor":
            self.skipped.append(Skipped(folder.path, 0, "is vendored: code of others"))
            return True
        return name in ("build", "dist") and folder.beside_project_file

    def _entries(self, path: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self._absolute(path)) as entries:
                return list(entries)
        except OSError as error:
            self.skipped.append(Skipped(path or ".", 0, f"cannot be listed: {error.strerror}"))
            return []

    def _notice(self, path: str, names: set[str]) -> None:
        if "__init__.py" in names or "__init__.pyi" in names:
            self.packages.add(path)
        if names & _PROJECT_FILES:
            self.projects.add(path)

    def _patterns_of(self, path: str) -> tuple[Patterns, ...]:
        """The ignore files above a path that hold for it, less those that hide it; notes what those folders are."""
        patterns = self._above
        for folder in _above(path):
            if folder not in self._names:
                self._names[folder] = {entry.name for entry in self._entries(folder)}
                self._notice(folder, self._names[folder])
            patterns = self._with_own(patterns, folder, self._names[folder])
        return tuple(p for p in patterns if not p.hides(path))

    def _with_own(self, patterns: tuple[Patterns, ...], folder: str, names: set[str]) -> tuple[Patterns, ...]:
        if ".gitignore" in names:
            path = f"{folder}/.gitignore" if folder else ".gitignore"
            if own := read_patterns(self._root, path, folder):
                return (own, *patterns)
        return patterns

    def _inside(self, path: str) -> str | None:
        """Where a path really is, relative to the real root; None where that is outside. Raises `OSError`."""
        real = os.path.realpath(self._absolute(path), strict=True)
        if real == self._real_root:
            return ""
        prefix = self._real_root.rstrip("/") + "/"
        return real[len(prefix) :] if real.startswith(prefix) else None

    def _absolute(self, path: str) -> str:
        return f"{self._real_root}/{path}" if path else self._real_root


def _suffix(path: str) -> str:
    return path.rpartition(".")[2].lower()


def _above(path: str) -> Iterator[str]:
    """The folders above a path, the root (empty) first."""
    if path:
        yield ""
        for at, character in enumerate(path):
            if character == "/":
                yield path[:at]
