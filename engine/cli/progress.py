"""A line of progress on standard error, only where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(doing: str = "reading", things: str = "files") -> Iterator[Callable[[int, int], None]]:
    """A function to call with things done and things in all; the line is wiped at the end."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    shown = False

    def show(done: int, total: int) -> None:
        nonlocal shown
        shown = True
        sys.stderr.write(f"\r{doing} {done} of {total} {things}")
        sys.stderr.flush()

    try:
        yield show
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
