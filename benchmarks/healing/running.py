"""Runs the suite of a package in a work tree whose files are set from texts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

_DRIVER = Path(__file__).with_name("driver.py")
_SECONDS = 25.0


class Runner:
    """A process in the benchmark's environment that runs tests; pytest is imported once."""

    def __init__(self, python: Path) -> None:
        words = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONHASHSEED": "0", "NO_COLOR": "1"}
        words.pop("PYTHONDONTWRITEBYTECODE", None)
        self._process = subprocess.Popen(
            [str(python), str(_DRIVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=words,
        )

    def run(
        self, root: Path, paths: Sequence[str], targets: Sequence[str], seconds: float = _SECONDS
    ) -> dict[str, str]:
        """The outcome of each test (`passed`, `failed`, `skipped`) by node id; nothing where time ran out."""
        assert self._process.stdin is not None and self._process.stdout is not None, "both are pipes"
        places = [str(root / each) for each in paths]
        task: dict[str, Any] = {
            "root": str(root),
            "paths": places,
            "targets": list(targets),
            "seconds": seconds,
        }
        self._process.stdin.write(json.dumps(task) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("the driver of the test runs ended")
        outcomes: dict[str, str] = json.loads(line)
        return outcomes

    def __enter__(self) -> Runner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


class Tree:
    """A copy of a project whose files are set as a case wants them; each writing gets a later time than the last."""

    def __init__(self, original: Path, root: Path) -> None:
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(original, root)
        self.root = root
        self._original = original
        self._changed: set[str] = set()
        self._tick = int(time.time()) - 1_000_000

    def set(self, files: Mapping[str, str | None]) -> None:
        """Make the tree the original with these files on top; None removes one."""
        for path in self._changed - set(files):
            source = self._original / path
            self._write(path, source.read_text(encoding="utf-8") if source.is_file() else None)
        for path, text in files.items():
            self._write(path, text)
        self._changed = set(files)

    def remove(self) -> None:
        """Remove the copy."""
        shutil.rmtree(self.root)

    def _write(self, path: str, text: str | None) -> None:
        target = self.root / path
        if text is None:
            target.unlink(missing_ok=True)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        # Compiled modules are told apart by whole seconds: two texts of one length must not look the same.
        self._tick += 2
        os.utime(target, (self._tick, self._tick))
