"""Finds the git repository around a project and its newest commit by reading files, without starting git."""

from __future__ import annotations

from pathlib import Path

import msgspec

from graph.compiled import compiled

_HASH = compiled(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REF = compiled(r"refs/[^\x00-\x20~^:?*\[\\\x7f]+")
_LARGEST = 4096
_LARGEST_PACKED = 64_000_000
_LONGEST_CHAIN = 5


class Repository(msgspec.Struct, frozen=True):
    """Where a repository lies.

    `top` is the folder of its work tree, `git` the folder of this work tree's `HEAD`, `common` that of the refs and
    objects, which linked work trees share. `prefix` is the project's path below `top`, with `/` at its end, or empty.
    """

    top: Path
    git: Path
    common: Path
    prefix: str

    @property
    def is_shallow(self) -> bool:
        """Whether the repository was cloned without its older history."""
        return (self.common / "shallow").is_file()


def is_hash(text: str) -> bool:
    """Whether a text is the full name of a git object, and so nothing that git could take for an option."""
    return _HASH.fullmatch(text) is not None


def find_repository(root: Path) -> Repository | None:
    """The repository whose work tree holds a folder, or None; nearest first, as git looks for it."""
    try:
        root = root.resolve()
        for folder in (root, *root.parents):
            git = _git_folder(folder)
            if git is not None:
                inside = root.relative_to(folder).as_posix()
                prefix = "" if inside == "." else f"{inside}/"
                return Repository(folder, git, _common_folder(git), prefix)
    except OSError:
        return None
    return None


def head(root: Path) -> str | None:
    """The hash of the commit that is checked out around a folder; None where there is none, or none can be told."""
    repository = find_repository(root)
    return head_of(repository) if repository else None


def head_of(repository: Repository) -> str | None:
    """The hash of a repository's `HEAD`; None before its first commit, or where its files are damaged."""
    content = _read(repository.git / "HEAD")
    for _ in range(_LONGEST_CHAIN):
        if content is None:
            return None
        content = content.strip()
        if is_hash(content):
            return content
        reference = content.removeprefix("ref:").strip()
        if reference == content or not _REF.fullmatch(reference) or ".." in reference:
            return None
        own = repository.git / reference
        shared = repository.common / reference
        content = _read(own) or _read(shared) or _packed(repository.common, reference)
    return None


def _git_folder(folder: Path) -> Path | None:
    place = folder / ".git"
    if place.is_file():
        content = _read(place) or ""
        target = content.strip().removeprefix("gitdir:").strip()
        if not content.startswith("gitdir:") or not target or "\0" in target:
            return None
        place = folder / target
    return place if (place / "HEAD").is_file() else None


def _common_folder(git: Path) -> Path:
    target = (_read(git / "commondir") or "").strip()
    return git / target if target and "\0" not in target else git


def _read(path: Path) -> str | None:
    """The text of a small regular file; None where there is none."""
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST:
            return None
        with path.open("rb") as file:
            return file.read(_LARGEST).decode("utf-8", "replace")
    except (OSError, ValueError):
        return None


def _packed(common: Path, reference: str) -> str | None:
    path = common / "packed-refs"
    wanted = b" " + reference.encode("utf-8", "replace")
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST_PACKED:
            return None
        with path.open("rb") as file:
            line = next((line for line in file if line.rstrip().endswith(wanted)), None)
    except OSError:
        return None
    return line.split()[0].decode("ascii", "replace") if line else None
