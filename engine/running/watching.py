"""Waits until a file of a project changes, by looking at all of them several times a second."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from engine.running.folders import own_folders

_SUFFIXES = frozenset({".py", ".pyi", ".md", ".feature", ".yaml", ".yml", ".json", ".toml", ".java"})
_SHORTEST_PAUSE = 0.1
_PAUSE_PER_LOOK = 6.0
"""A look at a large project is followed by a longer pause, so that waiting takes a seventh of one core at most."""

Snapshot = dict[str, tuple[int, int]]


def snapshot(root: Path, left_out: frozenset[str] = frozenset()) -> Snapshot:
    """The time of change and the size of each file that a run may depend on; hidden folders are left out.

    `left_out` holds names of files, or whole paths, that change without meaning anything.
    """
    found: Snapshot = {}
    for folder, folders, names in os.walk(root):
        folders[:] = own_folders(folder, folders)
        for name in names:
            path = os.path.join(folder, name)  # noqa: PTH118 (called for every file)
            if name in left_out or path in left_out or os.path.splitext(name)[1] not in _SUFFIXES:  # noqa: PTH122
                continue
            try:
                status = os.lstat(path)
            except OSError:
                continue
            found[path] = status.st_mtime_ns, status.st_size
    return found


def wait_for_change(
    root: Path,
    before: Snapshot,
    left_out: frozenset[str] = frozenset(),
    sleep: Callable[[float], None] = time.sleep,
) -> list[str]:
    """The paths, relative to the root, that changed since a snapshot; it returns when there are some."""
    while True:
        begun = time.perf_counter()
        now = snapshot(root, left_out)
        took = time.perf_counter() - begun
        changed = {path for path in {*before, *now} if before.get(path) != now.get(path)}
        if changed:
            return sorted(os.path.relpath(path, root) for path in changed)
        sleep(max(_SHORTEST_PAUSE, took * _PAUSE_PER_LOOK))
