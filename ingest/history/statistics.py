"""Churn and co-change: what a history says about the files of today."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import msgspec

from ingest.history.records import Change, CoChange, Commit, FileChurn, History

MOST_FILES = 50
"""A commit that touches more files says nothing about which belong together."""


class _Tally(msgspec.Struct):
    commits: int = 0
    added: int = 0
    deleted: int = 0
    first: int = 0
    last: int = 0
    authors: Counter[str] = msgspec.field(default_factory=Counter)


def churn(history: History) -> tuple[FileChurn, ...]:
    """How often and by whom each file of today was changed, in the order of their paths."""
    tallies: dict[str, _Tally] = {}
    for commit, touched in _by_todays_paths(history):
        for path, change in touched.items():
            tally = tallies.setdefault(path, _Tally(first=commit.time, last=commit.time))
            tally.commits += 1
            tally.added += change.added
            tally.deleted += change.removed
            tally.first = min(tally.first, commit.time)
            tally.last = max(tally.last, commit.time)
            tally.authors[commit.author] += 1
    return tuple(_file_churn(path, tallies[path]) for path in sorted(tallies))


def cochange(history: History) -> tuple[CoChange, ...]:
    """How many commits changed both of two files of today; most first, then in the order of their paths."""
    pairs: Counter[tuple[str, str]] = Counter()
    for commit, touched in _by_todays_paths(history):
        if len(commit.changes) <= MOST_FILES:
            pairs.update(combinations(sorted(touched), 2))
    ordered = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))
    return tuple(CoChange(first, second, number) for (first, second), number in ordered)


def _file_churn(path: str, tally: _Tally) -> FileChurn:
    authors = sorted(tally.authors, key=lambda author: (-tally.authors[author], author))
    return FileChurn(path, tally.commits, tally.added, tally.deleted, tuple(authors), tally.first, tally.last)


def _by_todays_paths(history: History) -> list[tuple[Commit, dict[str, Change]]]:
    """Each commit with its changes by the path that the file has today; files that are gone are left out."""
    today: dict[str, str | None] = {}
    found = []
    for commit in history.commits:
        touched: dict[str, Change] = {}
        for change in commit.changes:
            path = today.get(change.path, change.path)
            if path is not None and path in history.blobs:
                touched[path] = change
        # Older commits speak of the names from before this one.
        names: dict[str, str | None] = {}
        for change in commit.changes:
            if change.created or change.deleted or change.old != change.path:
                names.setdefault(change.path, None)
            if change.old != change.path:
                names[change.old] = today.get(change.path, change.path)
        today.update(names)
        found.append((commit, touched))
    return found
