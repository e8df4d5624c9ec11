"""The entry points that a project's own distributions declare, in `pyproject.toml`, `setup.cfg` or `setup.py`, all read
as text: which object stands for which name in a group."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from graph.facts import Skipped
from ingest.text import read_text

_LIMIT = 1_000_000
_MOST_FOLDERS = 200
_DEPTH = 4


def entry_points_of(root: Path, paths: Iterable[str], group: str) -> tuple[tuple[str, str], ...]:
    """The names of a group with what they stand for (`package.module:object`), sorted; `paths` are those of the
    project's files, in and above whose folders distributions are looked for."""
    found: set[tuple[str, str]] = set()
    for folder in sorted(_folders(paths))[:_MOST_FOLDERS]:
        for name, read in (("pyproject.toml", _of_toml), ("setup.cfg", _of_cfg), ("setup.py", _of_setup)):
            path = f"{folder}/{name}".lstrip("/")
            if (root / path).is_file() and not isinstance(text := read_text(root, path, _LIMIT), Skipped):
                found.update(read(text, group))
    return tuple(sorted(found))


def _folders(paths: Iterable[str]) -> Collection[str]:
    found = {""}
    for path in paths:
        parts = path.split("/")[:-1]
        found.update("/".join(parts[:count]) for count in range(1, min(len(parts), _DEPTH) + 1))
    return found


def _of_toml(text: str, group: str) -> Iterator[tuple[str, str]]:
    import tomllib  # many projects have no such file

    try:
        whole = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    for *around, last in (("project", "entry-points"), ("tool", "poetry", "plugins")):
        table: object = whole
        for name in (*around, last, group):
            table = table.get(name) if isinstance(table, dict) else None
        for name, value in table.items() if isinstance(table, dict) else ():
            if isinstance(value, str):
                yield name, value


def _of_cfg(text: str, group: str) -> Iterator[tuple[str, str]]:
    import configparser

    parser = configparser.RawConfigParser()
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    yield from _lines(parser.get("options.entry_points", group, fallback=""))


def _of_setup(text: str, group: str) -> Iterator[tuple[str, str]]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if (
            not isinstance(node, ast.keyword)
            or node.arg != "entry_points"
            or not isinstance(node.value, ast.Dict)
        ):
            continue
        for key, value in zip(node.value.keys, node.value.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == group:
                texts = value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
                for each in texts:
                    if isinstance(each, ast.Constant) and isinstance(each.value, str):
                        yield from _lines(each.value)


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        name, equals, value = line.partition("=")
        if equals and name.strip() and value.strip():
            yield name.strip(), value.strip()
