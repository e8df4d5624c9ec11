"""crossfact and git as child processes, as a user starts them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def surroundings(**more: str) -> dict[str, str]:
    """The environment of a child that finds this checkout and hears of no setting but those given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CROSSFACT_")}
    return {**kept, "PYTHONPATH": str(ROOT), **more}


def crossfact(
    folder: Path, *arguments: str, environment: dict[str, str] | None = None, **streams: Any
) -> subprocess.CompletedProcess[str]:
    """`crossfact …` in a folder, with what it wrote unless other streams are given."""
    return subprocess.run(
        [sys.executable, "-m", "crossfact", *arguments],
        cwd=folder,
        env=environment or surroundings(),
        text=True,
        encoding="utf-8",
        check=False,
        **({"capture_output": True} | streams),
    )


def git(folder: Path, *arguments: str) -> None:
    """`git …` in a folder, by an author of the tests."""
    who = ("-c", "user.name=T", "-c", "user.email=t@example.org")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)
