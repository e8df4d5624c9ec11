"""What the user named: paths and globs checked against the project, and the roles that they give to files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from graph.compiled import compiled
from graph.errors import UsageError
from graph.test_folders import is_in_data_folder, is_in_test_folder
from ingest.discovery.ignore import Patterns
from ingest.discovery.roles import roles_by_path, roles_by_suffix
from ingest.discovery.scope import Scope
from ingest.ingestor import Role

_OPTIONS = ("tests", "code", "stubs", "stories", "spec")
_SPECS = frozenset({Role.STUB, Role.CONTRACT, Role.STORY, Role.FEATURE, Role.PAGE})
# The roles that are no longer found by themselves once an option names where they are.
_TAKEN: dict[str, frozenset[Role]] = {
    "spec": _SPECS,
    "stories": frozenset({Role.STORY, Role.FEATURE}),
    "stubs": frozenset({Role.STUB}),
    "code": frozenset({Role.PYTHON}),
    "tests": frozenset({Role.TEST}),
}
_GLOB = compiled(r"[*?\[]")


class Claim(msgspec.Struct, frozen=True):
    """One path or glob that an option names.

    `folder` is the path, or the fixed part that a glob begins with; `depth` tells which of several claims is the
    most exact.
    """

    option: str
    text: str
    folder: str
    depth: int
    glob: Patterns | None = None

    def covers(self, path: str) -> bool:
        """Whether the claim speaks of this file."""
        if self.glob is not None:
            return bool(self.glob.verdict(path, folder=False))
        return is_below(path, self.folder)

    def names(self, path: str) -> bool:
        """Whether it names the very file, not a folder above it."""
        return self.glob is not None or path == self.folder


class Choice(msgspec.Struct, frozen=True):
    """What a file may be, whether the user named this very file, and whether it lies among tests or their data."""

    roles: tuple[Role, ...]
    named: bool = False
    fixture: bool = False
    data: bool = False


class Named:
    """All that the user named: `starts`, the files and folders of the PATH arguments, and `claims`, what the options
    name. Raises `UsageError` for a path that does not exist or lies outside the project."""

    def __init__(self, root: Path, scope: Scope) -> None:
        self.starts = sorted({path for text in scope.paths for path in _places(root, text)})
        self.claims = [_claim(root, option, text) for option in _OPTIONS for text in getattr(scope, option)]
        self._suffixes = scope.suffixes
        self._taken: frozenset[Role] = frozenset().union(*(_TAKEN[claim.option] for claim in self.claims))

    def choose(self, path: str) -> Choice | None:
        """What a file may be; None where it is of no interest."""
        if self.claims and (choice := self._claimed(path)):
            return choice
        below = path
        if self.starts:
            starts = [start for start in self.starts if is_below(path, start)]
            if not starts:
                return None
            # The name of the folder that was asked for still counts, those above it do not.
            below = path[max(starts, key=len).rfind("/") + 1 :]
        if self._suffixes and path.endswith(self._suffixes):
            return Choice((Role.OTHER,), named=True)
        roles = roles_by_path(path, below)
        if self._taken:
            roles = tuple(role for role in roles if role not in self._taken)
        if not roles or roles == (Role.IGNORED,):
            return None
        named = path in self.starts
        return Choice(
            roles,
            named,
            fixture=not named and is_in_test_folder(below),
            data=not named and is_in_data_folder(below),
        )

    def _claimed(self, path: str) -> Choice | None:
        best: Choice | None = None
        depth = -1
        for claim in self.claims:
            # The options come in falling priority: a later one has to be more exact to win.
            if claim.depth > depth and claim.covers(path) and (roles := _roles(claim, path)):
                best, depth = Choice(roles, claim.names(path)), claim.depth
        return best


def relative(root: Path, text: str) -> str:
    """A path as the user wrote it, relative to the root; empty for the root itself. Raises `UsageError` outside."""
    whole = os.path.normpath(os.path.join(root, text))  # noqa: PTH118 (normalised without following links)
    if whole == os.fspath(root):
        return ""
    prefix = os.fspath(root).rstrip("/") + "/"
    if not whole.startswith(prefix):
        remedy = "Run crossfact on a folder that holds all of it."
        raise UsageError(f"{text} lies outside the project {root}", remedy)
    return whole[len(prefix) :]


def is_below(path: str, folder: str) -> bool:
    """Whether the path is the folder (empty for the root), or lies below it."""
    return not folder or path == folder or path.startswith(folder + "/")


def _roles(claim: Claim, path: str) -> tuple[Role, ...]:
    """What a claim makes of a file; empty where the option does not speak of such files."""
    exact = claim.names(path)
    roles = roles_by_suffix(path)
    match claim.option:
        case "tests":
            return (Role.TEST,) if Role.PYTHON in roles else ()
        case "code":
            if Role.PYTHON not in roles:
                return ()
            below = path[len(claim.folder) :].lstrip("/")
            return (Role.PYTHON,) if exact else roles_by_path(path, below)
        case "stubs":
            return (Role.STUB,) if Role.STUB in roles or (exact and Role.PYTHON in roles) else ()
        case "stories":
            if Role.FEATURE in roles or Role.STORY in roles:
                return roles[:1]
            return (Role.STORY,) if exact else ()
        case _:
            return _spec_roles(claim, roles, exact)


def _spec_roles(claim: Claim, roles: tuple[Role, ...], exact: bool) -> tuple[Role, ...]:
    if Role.PYTHON in roles:
        # `--spec .` is not meant to turn all code into specs.
        return (Role.STUB,) if claim.folder or exact else ()
    if exact:
        return roles[:1] or (Role.CONTRACT,)
    return roles


def _claim(root: Path, option: str, text: str) -> Claim:
    if _is_glob(root, text):
        pattern = relative(root, text)
        fixed = _GLOB.split(pattern)[0].rpartition("/")[0]
        return Claim(option, text, fixed, _depth(fixed) + 1, Patterns([f"/{pattern}", f"/{pattern}/**"]))
    path = existing(root, text)
    return Claim(option, text, path, _depth(path))


def _places(root: Path, text: str) -> Iterable[str]:
    if not _is_glob(root, text):
        return [existing(root, text)]
    try:
        matches = [path.relative_to(root).as_posix() for path in root.glob(relative(root, text))]
    except ValueError:  # not a pattern that pathlib knows
        matches = []
    if not matches:
        raise UsageError(f"{text}: no file matches this pattern", "Name a path that exists.")
    return matches


def _is_glob(root: Path, text: str) -> bool:
    return _GLOB.search(text) is not None and not os.path.lexists(root / text)


def _depth(path: str) -> int:
    return path.count("/") + 1 if path else 0


def existing(root: Path, text: str) -> str:
    """A path as the user wrote it, relative to the root. Raises `UsageError` where it does not exist, or outside."""
    path = relative(root, text)
    if os.path.exists(root / path):  # noqa: PTH110 (Path.exists raises where a folder above may not be entered)
        return path
    remedy = "Name a path that exists, relative to the project."
    if nearest := _nearest(root, path):
        remedy = f"Did you mean {nearest}?"
    raise UsageError(f"{text} does not exist in {root}", remedy)


def _nearest(root: Path, path: str) -> str:
    """The path with its first missing part replaced by the most similar name that is there; empty where none is."""
    folder, parts = root, path.split("/")
    while len(parts) > 1 and (folder / parts[0]).is_dir():
        folder /= parts.pop(0)
    try:
        names = sorted(entry.name for entry in folder.iterdir())
    except OSError:
        return ""
    from difflib import get_close_matches

    close = get_close_matches(parts[0], names, n=1)
    return (folder / close[0]).relative_to(root).as_posix() if close else ""
