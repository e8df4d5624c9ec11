"""Writes the files of one commit into a folder, from git objects alone: nothing is checked out, no filter runs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from ingest.history.command import GitError, git_lines
from ingest.history.repository import Repository, find_repository, is_hash

_MODULE = -1
_BINARY = frozenset(
    {
        ".png",
        ".jpg",
        ".jpeg",
        ".gif",
        ".ico",
        ".svg",
        ".webp",
        ".pdf",
        ".woff",
        ".woff2",
        ".ttf",
        ".otf",
        ".eot",
    }
    | {
        ".zip",
        ".gz",
        ".xz",
        ".bz2",
        ".zst",
        ".tar",
        ".whl",
        ".jar",
        ".mp3",
        ".mp4",
        ".mov",
        ".pkl",
        ".npy",
        ".parquet",
    }
)


def commit_named(repository: Repository, revision: str) -> str:
    """The full hash of the commit that a revision names as git understands it. Raises GitError where there is none."""
    arguments = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    try:
        words = [line.decode("ascii", "replace").strip() for line in git_lines(repository.top, *arguments)]
    except GitError as error:
        raise GitError(f"git knows no revision {revision}") from error
    if len(words) != 1 or not is_hash(words[0]):
        raise GitError(f"git knows no revision {revision}")
    return words[0]


def common_ancestor(repository: Repository, commit: str) -> str:
    """The commit from which `HEAD` and another commit went apart; the other itself where none can be found."""
    try:
        lines = list(git_lines(repository.top, "merge-base", "--end-of-options", "HEAD", commit))
    except GitError:  # no commit yet, a shallow clone, or histories that never met
        return commit
    words = [line.decode("ascii", "replace").strip() for line in lines]
    return words[0] if words and is_hash(words[0]) else commit


def write_tree(repository: Repository, commit: str, folder: Path, *, limit: int) -> int:
    """Write the project's files as they were in a commit below an empty folder; returns how many.

    Only plain files of at most `limit` bytes are written, also those of sub-modules that are there; links, pictures and
    archives are not. Raises GitError.
    """
    listed = list(_listed(repository, commit))
    wanted = [
        (path, blob)
        for path, blob, size in listed
        if 0 <= size <= limit and PurePosixPath(path).suffix.lower() not in _BINARY
    ]
    given = b"".join(blob.encode() + b"\n" for _, blob in wanted)
    lines = git_lines(repository.top, "cat-file", "--batch", given=given)
    for path, _ in wanted:
        place = folder / path
        if not place.is_relative_to(folder) or ".." in PurePosixPath(path).parts:
            raise GitError(f"the commit has a file outside of its tree: {path}")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(_content(lines))
    return len(wanted) + sum(
        _write_module(repository, path, pinned, folder, limit)
        for path, pinned, size in listed
        if size == _MODULE
    )


def _write_module(repository: Repository, path: str, commit: str, folder: Path, limit: int) -> int:
    """Write the files of a sub-module as a commit of what holds it pins them; none where they are not at hand."""
    place, top = folder / path, repository.top / repository.prefix / path
    below = find_repository(top)
    if below is None or below.prefix or ".." in PurePosixPath(path).parts or not is_hash(commit):
        return 0
    within = (below.top / ".git", repository.common.resolve())
    if not below.top.is_relative_to(repository.top) or not any(
        map(below.git.resolve().is_relative_to, within)
    ):
        return 0  # it leads elsewhere
    with contextlib.suppress(GitError):  # the commit was never fetched
        return write_tree(below, commit, place, limit=limit)
    return 0


def _listed(repository: Repository, commit: str) -> Iterator[tuple[str, str, int]]:
    """Path, object and size of each file; of a sub-module its commit, and `_MODULE` for the size."""
    below = [repository.prefix] if repository.prefix else []
    arguments = ("ls-tree", "-r", "-z", "-l", "--full-tree", commit, "--", *below)
    for entry in git_lines(repository.top, *arguments, separator=b"\0"):
        about, _, path = entry.decode("utf-8", "surrogateescape").partition("\t")
        mode, _, blob, size = about.split()
        if mode.startswith("100") and size.isdigit():
            yield path.removeprefix(repository.prefix), blob, int(size)
        elif mode == "160000":
            yield path.removeprefix(repository.prefix), blob, _MODULE


def _content(lines: Iterator[bytes]) -> bytes:
    header = next(lines, b"").split()
    if len(header) != 3 or not header[2].isdigit():
        raise GitError("git gave no content for a file of the commit")
    size, pieces, length = int(header[2]), [], -1
    while length < size:
        piece = next(lines, None)
        if piece is None:
            raise GitError("git ended in the middle of a file")
        pieces.append(piece)
        length += len(piece) + 1
    return b"\n".join(pieces)
