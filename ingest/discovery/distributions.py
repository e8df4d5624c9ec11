"""What the project of a folder is published as: its name in `pyproject.toml`, `setup.cfg`, `setup.py` or `PKG-INFO`."""

from __future__ import annotations

import re
from pathlib import Path

from graph.facts import Skipped
from graph.patterns import pattern
from ingest.text import read_text

_LIMIT = 1_000_000
# Only a name that is written out counts; that of a tool's own table may be of something else.
_WRITTEN = {
    "pyproject.toml": pattern(
        r"^\[(?:project|tool\.poetry)\][ \t]*(?:#.*)?$(?:\n(?!\[).*)*?\n[ \t]*name[ \t]*=[ \t]*[\"']([\w.-]+)[\"']",
        re.MULTILINE,
    ),
    "setup.cfg": pattern(
        r"^\[metadata\][ \t]*$(?:\n(?!\[).*)*?\nname[ \t]*=[ \t]*([\w.-]+)[ \t]*$", re.MULTILINE
    ),
    "setup.py": pattern(r"\bname[\"']?[ \t]*[=:][ \t]*[\"']([\w.-]+)[\"']"),
    "PKG-INFO": pattern(r"^Name:[ \t]*([\w.-]+)[ \t]*$", re.MULTILINE),
}
_BETWEEN = pattern(r"[-_.]+")


def distribution_of(root: Path, folder: str) -> str:
    """The normal name (PEP 503) of what a folder of the project is published as; empty where no file says it."""
    for name, written in _WRITTEN.items():
        text = read_text(root, f"{folder}/{name}".lstrip("/"), _LIMIT)
        found = None if isinstance(text, Skipped) else written.search(text)
        if found is not None:
            return normal(found[1])
    return ""


def normal(name: str) -> str:
    """The normal form of a name (PEP 503), in which `jaraco.text`, `jaraco_text` and `jaraco/text` are the same."""
    return _BETWEEN.sub("-", name.replace("/", ".")).lower()
