"""Waits until a file of a project changes, by looking at all of them twice a second."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

_LEFT_OUT = frozenset({"node_modules", "__pycache__", "site-packages", "build", "dist"})
_SUFFIXES = frozenset({".py", ".pyi", ".md", ".feature", ".yaml", ".yml", ".json", ".toml", ".java"})
_SECONDS = 0.5

Snapshot = dict[str, tuple[int, int]]


def snapshot(root: Path, left_out: frozenset[str] = frozenset()) -> Snapshot:
    """The time of change and the size of each file that a test may depend on; hidden folders are left out."""
    found: Snapshot = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".")
            and name not in _LEFT_OUT
            and not Path(folder, name, "pyvenv.cfg").exists()
        ]
        for name in names:
            if name in left_out or Path(name).suffix not in _SUFFIXES:
                continue
            try:
                status = os.lstat(os.path.join(folder, name))  # noqa: PTH118 (called for every file)
            except OSError:
                continue
            found[os.path.join(folder, name)] = status.st_mtime_ns, status.st_size  # noqa: PTH118
    return found


def wait_for_change(
    root: Path,
    before: Snapshot,
    left_out: frozenset[str] = frozenset(),
    sleep: Callable[[float], None] = time.sleep,
) -> list[str]:
    """The paths, relative to the root, that changed since a snapshot; it returns when there are some."""
    while True:
        now = snapshot(root, left_out)
        changed = {path for path in {*before, *now} if before.get(path) != now.get(path)}
        if changed:
            return sorted(os.path.relpath(path, root) for path in changed)
        sleep(_SECONDS)
