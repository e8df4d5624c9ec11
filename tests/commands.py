"""crossfact and git as a user starts them, and crossfact within this process, which saves the start."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

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


def inside(
    folder: Path, *arguments: str, environment: dict[str, str] | None = None, input: str = ""
) -> subprocess.CompletedProcess[str]:
    """`crossfact …` as `crossfact` above gives it, by the same entry, but within this process and without workers.

    It takes a third of the time, and reads a contract in a tenth. Each command has tests in a child as well.
    """
    from engine.cli.entry import exit_code

    words = ["crossfact", *arguments]
    variables = {"CROSSFACT_JOBS": "1", **(environment or surroundings())}
    given, out, err = (
        io.TextIOWrapper(io.BytesIO(text), encoding="utf-8") for text in (input.encode(), b"", b"")
    )
    with (
        contextlib.chdir(folder),
        mock.patch.dict(os.environ, variables, clear=True),
        mock.patch.multiple(sys, argv=words, stdin=given, stdout=out, stderr=err),
    ):
        code = exit_code()
    said = []
    for stream in (out, err):
        stream.flush()
        said.append(stream.buffer.getvalue().decode("utf-8"))
    return subprocess.CompletedProcess(words, code, *said)


def git(folder: Path, *arguments: str) -> None:
    """`git …` in a folder, by an author of the tests."""
    who = ("-c", "user.name=T", "-c", "user.email=t@example.org")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)
