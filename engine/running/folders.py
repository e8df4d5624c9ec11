"""Which folders of a project hold files of its own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_LEFT_OUT = frozenset({"node_modules", "__pycache__", "site-packages", "build", "dist"})


def own_folders(folder: str, names: Iterable[str]) -> list[str]:
    """Those of the folders in one: neither hidden, nor made by a tool, nor a virtual environment."""
    return [
        name
        for name in names
        if not name.startswith(".")
        and name not in _LEFT_OUT
        and not Path(folder, name, "pyvenv.cfg").exists()
    ]
