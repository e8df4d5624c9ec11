"""Which tests share what is edited: those of the file, those below a `conftest.py`, those that use a helper."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath

from engine.healing.choosing import test_files
from engine.healing.gate import is_module_of_tests


def sharing(root: Path, paths: Iterable[str], read: Callable[[str], str | None]) -> set[str]:
    """The files of tests that a change of these files can reach."""
    found: set[str] = set()
    every: list[str] | None = None
    for path in paths:
        name = PurePosixPath(path).name
        if name == "conftest.py":
            found.update(test_files(root, str(PurePosixPath(path).parent)))
        elif is_module_of_tests(path):
            found.add(path)
        else:
            every = test_files(root) if every is None else every
            stem = PurePosixPath(path).parent.name if name == "__init__.py" else PurePosixPath(path).stem
            word = re.compile(rf"\b{re.escape(stem)}\b")
            found.update(each for each in every if word.search(read(each) or ""))
    return found
