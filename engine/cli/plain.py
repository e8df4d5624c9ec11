"""Reads plain command lines of `crossfact check` without click, which takes a tenth of a short run to load.

A line is plain where each word is a path, a flag, or an option with its value, all spelled in full. Every other line
is left to click, which knows about mistakes, help and completion.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from crossval.report.formats import FORMATS

COMMAND = "check"

_FLAGS: dict[str, tuple[str, bool]] = {
    "--concise": ("concise", True),
    "--strict": ("strict", True),
    "--verbose": ("verbose", True),
    "--show-suppressed": ("silenced", True),
    "--watch": ("watch", True),
    "--history": ("history", True),
    "--no-history": ("history", False),
}
_LISTS = {
    "--format": "forms",
    "--output": "outputs",
    "--spec": "spec",
    "--code": "code",
    "--stories": "stories",
    "--stubs": "stubs",
    "--tests": "tests",
    "--exclude": "exclude",
    "--source-root": "source_roots",
    "--select": "select",
    "--ignore": "ignore",
    "--severity": "severity",
}
_SINGLE = {
    "--since": "since",
    "--fail-on": "fail_on",
    "--max-file-size": "max_file_size",
    "--store": "store",
    "--jobs": "jobs",
    "--config": "configuration",
    "--baseline": "baseline",
    "--python-version": "python_version",
    "--platform": "platform",
}
_CHOICES = {"--format": frozenset(FORMATS), "--fail-on": frozenset({"error", "warning", "note", "never"})}
_NUMBERS = {"--max-file-size": 1, "--jobs": 0}
_NOTHING: dict[str, Any] = {
    **dict.fromkeys(("concise", "verbose", "silenced", "watch"), False),
    **dict.fromkeys(("strict", "history", *_SINGLE.values())),
}


def plain(words: Sequence[str]) -> dict[str, Any] | None:
    """The parameters of `check` as click would give them; None where the words are not a plain line."""
    if not words or words[0] != COMMAND:
        return None
    lists: dict[str, list[str]] = {name: [] for name in ("paths", *_LISTS.values())}
    found = dict(_NOTHING)
    waiting = iter(words[1:])
    for word in waiting:
        if not word.startswith("-"):
            lists["paths"].append(word)
            continue
        if word in _FLAGS:
            name, value = _FLAGS[word]
            found[name] = value
            continue
        option, equals, text = word.partition("=")
        if not equals:
            text = next(waiting, "-")
        if text.startswith("-") or not _fits(option, text):
            return None
        if option in _LISTS:
            lists[_LISTS[option]].append(text)
        else:
            found[_SINGLE[option]] = _value(option, text)
    return found | {name: tuple(texts) for name, texts in lists.items()}


def run_plainly(words: Sequence[str]) -> int | None:
    """Run a plain `check` and give its exit code; None where the line is not plain, and nothing was done."""
    found = None if "_CROSSFACT_COMPLETE" in os.environ else plain(words)
    if found is None or len(found["forms"]) > 1 or len(found["outputs"]) > 1:
        return None
    _load_records()
    from engine.cli.checking import report
    from engine.cli.destinations import ordered

    wanted = ordered(found.pop("forms"), found.pop("outputs"), ())
    switches = {name: found.pop(name) for name in ("concise", "verbose", "silenced", "since", "watch")}
    return report(found.pop("paths"), wanted, found, **switches)


def _fits(option: str, text: str) -> bool:
    """Whether click takes this value of an option without a word."""
    if option in _NUMBERS:
        return text.isascii() and text.isdigit() and int(text) >= _NUMBERS[option]
    if option in _CHOICES:
        return text in _CHOICES[option]
    if option == "--severity":
        return "=" in text
    return option in _LISTS or option in _SINGLE


def _value(option: str, text: str) -> Any:
    if option in _NUMBERS:
        return int(text)
    return Path(text) if option == "--config" else text


def _load_records() -> None:
    """Import msgspec without `typing_extensions`, of which it takes nothing that `typing` does not have by now.

    That library and what it imports take half as long again to load as msgspec itself. `uuid`, which it loads, asks
    `platform` for the name of the system, and that compiles nine expressions.
    """
    if {"msgspec", "typing_extensions"}.isdisjoint(sys.modules):
        hidden: dict[str, Any] = {"typing_extensions": None}
        if sys.platform == "linux" and "platform" not in sys.modules:
            hidden["platform"] = SimpleNamespace(system=lambda: "Linux")
        sys.modules.update(hidden)
        try:
            import msgspec  # noqa: F401 (for what importing it does)
        finally:
            for name in hidden:
                del sys.modules[name]
