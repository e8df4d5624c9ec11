"""Finds the interpreter that a project's tests run in: its virtual environment, else the one that runs crossfact."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

_FOLDERS = (".venv", "venv", "env", ".env")
_PROGRAMS = ("bin/python", "Scripts/python.exe")


def interpreter(root: Path, environment: Mapping[str, str], wanted: str = "") -> Path:
    """The path of the interpreter: `wanted` where given, the environment in the project, the active one, or ours."""
    return chosen(root, environment, wanted) or Path(sys.executable)


def chosen(root: Path, environment: Mapping[str, str], wanted: str = "") -> Path | None:
    """As `interpreter`, but None where nothing says that the project has one of its own."""
    if wanted:
        return Path(os.path.abspath(wanted))  # noqa: PTH100 (the link itself is the environment's)
    folders = [root / name for name in _FOLDERS]
    if active := environment.get("VIRTUAL_ENV"):
        folders.append(Path(active))
    for folder in folders:
        if not (folder / "pyvenv.cfg").is_file():
            continue
        for program in _PROGRAMS:
            # Not resolved: through its link the interpreter finds the environment's packages.
            if (folder / program).exists():
                return folder / program
    return None
