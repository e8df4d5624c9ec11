"""The console: the only place that prints. What comes from a project is shown with control characters escaped."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TextIO

from crossval.report.escape import clean


def say(text: str) -> None:
    """Print what a program could read, to standard output; `text` may hold our own colours, and is clean."""
    _put(text if text.endswith("\n") or not text else f"{text}\n", sys.stdout)


def tell(text: str) -> None:
    """Print a notice for people, to standard error."""
    _put(f"{clean(text)}\n", sys.stderr)


def telling_once() -> Callable[[str], None]:
    """What prints a notice as `tell` does, but each only the first time: commands of several steps begin each anew."""
    told: set[str] = set()

    def tell_once(text: str) -> None:
        if text not in told:
            told.add(text)
            tell(text)

    return tell_once


def complain(message: str, remedy: str = "") -> None:
    """Print an error and what to do about it, to standard error."""
    tell(f"crossfact: error: {message}")
    if remedy:
        tell(f"  help: {remedy}")


def is_terminal() -> bool:
    """Whether standard output is a terminal; it may also be closed."""
    return sys.stdout is not None and sys.stdout.isatty()


def wants_colour() -> bool:
    """Whether standard output is a terminal that shows colours (see no-color.org)."""
    return is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """The columns of the terminal; 100 where the output is no terminal."""
    if not is_terminal():
        return 100
    import shutil

    return shutil.get_terminal_size((100, 24)).columns


def _put(text: str, stream: TextIO | None) -> None:
    """Write a text at once; a stream that is closed from the start takes nothing."""
    if stream is None:
        return
    if "\x1b" in text:
        from click import echo

        echo(text, file=stream, nl=False)  # it knows which streams take colours
        return
    stream.write(text)
    stream.flush()
