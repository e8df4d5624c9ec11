"""Reads the last commits of a project, with the lines that each changed, from git objects alone."""

from __future__ import annotations

import heapq
from collections.abc import Collection
from itertools import count
from pathlib import Path

import msgspec

from graph.facts import Skipped
from ingest.history.command import GitError, git_lines
from ingest.history.differences import read_differences
from ingest.history.records import Commit, History
from ingest.history.repository import Repository, find_repository, head_of, is_hash

PLACE = ".git"
"""The path that facts and notes about the history name as theirs."""

_LARGEST_FILE = 5_000_000


def read_history(root: Path, limit: int = 1000, since: str = "") -> History:
    """The last `limit` commits that touch a folder, with paths relative to it.

    With `since`, a head that was read before, only newer commits are read if it is an ancestor of today's head and
    the folder is the top of its repository; the answer's `since` says whether that was so, and `joined` puts the two
    together. What hinders the reading is one note in `skipped`; a project without git has no history and no note.
    """
    repository = find_repository(root)
    if repository is None:
        return History()
    newest = head_of(repository)
    if newest is None:
        return History() if _is_unborn(repository) else _skipped("its HEAD names no commit")
    if repository.is_shallow:
        return _skipped(
            "the clone is shallow, so older commits are missing; fetch the whole history to have it read"
        )
    try:
        if since and (repository.prefix or not is_hash(since) or not _is_ancestor(repository, since, newest)):
            since = ""
        commits = _commits(repository, newest, limit, since)
        differences = read_differences(repository, commits)
        return History(
            head=newest,
            since=since,
            commits=tuple(
                msgspec.structs.replace(commit, differences=changes)
                for commit, changes in zip(commits, differences, strict=True)
            ),
            blobs=_blobs(repository, newest),
        )
    except GitError as error:
        return _skipped(str(error))


def joined(older: History, newer: History, limit: int = 1000) -> History:
    """The history that reading all at once would give, from an earlier one and what came since."""
    if not newer.since or newer.since != older.head:
        return newer
    known = {commit.hash: commit for commit in (*older.commits, *newer.commits)}
    order = count()
    queue: list[tuple[int, int, str]] = [(0, next(order), newer.head)]
    seen = {newer.head}
    commits: list[Commit] = []
    # Git lists commits by the committer's time, and those of equal time in the order in which it met them.
    while queue and len(commits) < limit:
        commit = known.get(heapq.heappop(queue)[2])
        if commit is None:
            continue
        commits.append(commit)
        for parent in commit.parents:
            if parent not in seen:
                seen.add(parent)
                when = known[parent].committed if parent in known else 0
                heapq.heappush(queue, (-when, next(order), parent))
    return msgspec.structs.replace(newer, since="", commits=tuple(commits))


def clean_paths(root: Path, history: History, paths: Collection[str]) -> frozenset[str]:
    """Those of some files whose content in the work tree is the one at the history's head, but for line ends."""
    return frozenset(
        path for path in paths if path in history.blobs and _is_clean(root, path, history.blobs[path])
    )


def _is_clean(root: Path, path: str, blob: str) -> bool:
    from ingest.text import read_bytes

    content = read_bytes(root, path, _LARGEST_FILE)
    if isinstance(content, Skipped):
        return False
    return blob in (_blob_id(content, blob), _blob_id(content.replace(b"\r\n", b"\n"), blob))


def _blob_id(content: bytes, like: str) -> str:
    """The id that git gives to a content, by the same kind of hash as another id."""
    import hashlib

    algorithm = "sha1" if len(like) == 40 else "sha256"
    header = b"blob %d\0" % len(content)
    return hashlib.new(algorithm, header + content, usedforsecurity=False).hexdigest()


def _is_unborn(repository: Repository) -> bool:
    """Whether the repository is sound and merely has no commit yet."""
    if (repository.common / "reftable").is_dir():
        return False
    try:
        text = (repository.git / "HEAD").read_bytes()[:4096].decode("utf-8", "replace")
    except OSError:
        return False
    reference = text.removeprefix("ref:").strip()
    return reference.startswith("refs/heads/") and not (repository.common / reference).exists()


def _skipped(reason: str) -> History:
    return History(skipped=(Skipped(PLACE, 0, f"the git history was not read: {reason}"),))


def _is_ancestor(repository: Repository, older: str, newer: str) -> bool:
    try:
        list(git_lines(repository.top, "merge-base", "--is-ancestor", older, newer))
    except GitError:
        return False
    return True


def _commits(repository: Repository, newest: str, limit: int, since: str) -> list[Commit]:
    arguments = ["rev-list", "--parents", f"--max-count={limit}", "--encoding=UTF-8"]
    arguments += ["--format=%at%x00%ct%x00%an%x00%s", newest]
    if since:
        arguments.append(f"^{since}")
    arguments.append("--")
    if repository.prefix:
        arguments.append(repository.prefix.rstrip("/"))
    lines = git_lines(repository.top, *arguments)
    commits = []
    for line in lines:
        _, hash_, *parents = line.decode("ascii", "replace").split()
        time, committed, author, subject = next(lines).decode("utf-8", "replace").split("\0", 3)
        commits.append(
            Commit(
                hash=hash_,
                parents=tuple(parents),
                author=author,
                time=_seconds(time),
                committed=_seconds(committed),
                subject=subject,
            )
        )
    return commits


def _seconds(text: str) -> int:
    """Unix seconds; 0 where a commit's date is damaged."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


def _blobs(repository: Repository, newest: str) -> dict[str, str]:
    below = [repository.prefix] if repository.prefix else []
    entries = git_lines(
        repository.top, "ls-tree", "-r", "-z", "--full-tree", newest, "--", *below, separator=b"\0"
    )
    blobs = {}
    for entry in entries:
        about, _, path = entry.decode("utf-8", "replace").partition("\t")
        mode, _, blob = about.split(" ", 2)
        if mode.startswith("100"):
            blobs[path.removeprefix(repository.prefix)] = blob
    return blobs
