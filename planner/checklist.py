"""The checklist `test_execution_state.yaml`: read with the line of each mistake, written without losing a comment.

People read and edit it. What they did not touch is written back byte for byte: an entry that did not change keeps its
text; of one that did, only the lines of the keys that changed are replaced.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from graph.errors import ConfigurationError
from graph.facts import Json
from graph.files import read_plain, replace_file, said
from ingest.located import read_located
from ingest.trees.tree import Tree, Unreadable
from planner.cases import Case, Layer, Status
from planner.entries import entry_lines, entry_of, key_lines

FILE = "test_execution_state.yaml"
_TOP = "test_cases"
_HEADER = """\
# The test plan of crossfact. Edit it freely: change a description or a status, add a comment, remove a case.
# `crossfact plan` adds what is missing and marks what is gone; it never undoes what you changed.
# docs/TESTING.md explains each key and each status.
"""
_MEND = "Mend the line, or take the file back from version control."


class Entry(msgspec.Struct, frozen=True):
    """A case as the file holds it: its lines, from its dash to the next entry's, and where each of its keys begins."""

    case: Case
    lines: tuple[str, ...]
    keys: dict[str, tuple[int, int]]


class Checklist(msgspec.Struct, frozen=True):
    """The cases in the order of the file, with the text around them; `text` is what stands before the first entry."""

    entries: tuple[Entry, ...] = ()
    head: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()

    @property
    def cases(self) -> tuple[Case, ...]:
        """The cases alone."""
        return tuple(entry.case for entry in self.entries)


def load(file: Path) -> Checklist:
    """The checklist in a file; an empty one where there is none.

    Raises ConfigurationError with the line of every mistake: a key that is not known, a status that is none, an id
    that stands twice.
    """
    try:
        content = read_plain(file)
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{file}: cannot be read: {error}", "Check its rights.") from error
    return Checklist() if content is None else parse(_decoded(content, file), file.name)


def parse(text: str, name: str = FILE) -> Checklist:
    """The checklist that a text holds; see `load`."""
    if not text.strip():
        return Checklist()
    tree = read_located(text, name)
    if isinstance(tree, Unreadable):
        raise ConfigurationError(f"{name}:{tree.line}: {tree.reason}", tree.remedy or _MEND)
    rows = text.splitlines(keepends=True)
    top = tree.value.get(_TOP) if isinstance(tree.value, dict) else None
    if top is None and isinstance(tree.value, dict) and not set(tree.value) - {_TOP}:
        return Checklist(head=tuple(rows))
    if not isinstance(top, list):
        raise ConfigurationError(f"{name}:1: there is no list `{_TOP}:`", _MEND)
    mistakes = [f"{name}:{each.line}: the key `{each.key}` stands twice" for each in tree.duplicates]
    if unknown := sorted(set(tree.value) - {_TOP}):
        mistakes.append(
            f"{name}:{tree.line(tree.value, unknown[0])}: unknown key `{unknown[0]}`; only `{_TOP}` is known"
        )
    starts = [tree.line(top, index) - 1 for index in range(len(top))]
    entries: list[Entry] = []
    for index, value in enumerate(top):
        end = starts[index + 1] if index + 1 < len(top) else _end(rows, tree.last_line(top, index))
        start, end = _with_comments(rows, starts[index], end, index + 1 < len(top))
        case = _case(tree, top, index, value, name, mistakes)
        if case is not None:
            lines = tuple(rows[start:end])
            entries.append(
                Entry(
                    case, lines, key_lines(lines, [tree.line(value, key) - 1 - start for key in value], value)
                )
            )
    _refuse_doubles(tree, top, name, mistakes)
    if mistakes:
        raise ConfigurationError("\n".join(mistakes), _MEND)
    first = starts[0] if starts else len(rows)
    head = rows[: _with_comments(rows, first, first, False)[0]] if starts else rows
    last = _end(rows, tree.last_line(top, len(top) - 1)) if top else len(rows)
    return Checklist(tuple(entries), tuple(head), tuple(rows[last:]))


def render(checklist: Checklist, cases: Sequence[Case]) -> str:
    """The text of the checklist with these cases instead; comments and the text of what did not change stay."""
    known = {entry.case.id: entry for entry in checklist.entries}
    lines = list(checklist.head) if checklist.head else [*_HEADER.splitlines(keepends=True), f"{_TOP}:\n"]
    if not any(line.startswith(f"{_TOP}:") for line in lines):
        lines.append(f"{_TOP}:\n")
    lines = [
        f"{_TOP}:\n" if line.strip() in (f"{_TOP}: []", f"{_TOP}: null", f"{_TOP}: ~") else line
        for line in lines
    ]
    for case in cases:
        entry = known.get(case.id)
        if entry is None:
            lines += entry_lines(case)
        elif entry.case == case:
            lines += _closed(entry.lines)
        else:
            lines += entry_of(_closed(entry.lines), entry.keys, entry.case, case)
    if not cases:
        lines = [f"{_TOP}: []\n" if line.startswith(f"{_TOP}:") else line for line in lines]
    return "".join([*lines, *checklist.tail])


def save(file: Path, checklist: Checklist, cases: Sequence[Case]) -> Checklist:
    """Write these cases into the file at once and durably, and give the checklist as it is now.

    Nothing is written where nothing changed. Raises ConfigurationError where the file cannot be written.
    """
    text = render(checklist, cases)
    try:
        if read_plain(file) != text.encode():
            replace_file(file, text.encode())
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"{file}: cannot be written: {said(error)}", "Check its rights and the free space."
        ) from error
    return parse(text, file.name)


def _decoded(content: bytes, file: Path) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigurationError(f"{file.name}:{line}: is not UTF-8", "Save the file as UTF-8.") from error


def _case(tree: Tree, top: Json, index: int, value: Json, name: str, mistakes: list[str]) -> Case | None:
    line = tree.line(top, index)
    if not isinstance(value, dict):
        mistakes.append(f"{name}:{line}: a case is a mapping that begins with `- id:`")
        return None
    fields = Case.__struct_encode_fields__
    for key in value:
        if key not in fields:
            near = difflib.get_close_matches(key, fields, n=1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            mistakes.append(f"{name}:{tree.line(value, key)}: unknown key `{key}`{hint}")
            return None
    try:
        return msgspec.convert(_filled(value), Case)
    except msgspec.ValidationError as error:
        words, _, place = str(error).partition(" - at `$")
        key = place.strip("`.").partition(".")[0].partition("[")[0]
        at = tree.line(value, key) if key in value else line
        words = words.replace("Invalid enum value", "there is no")
        known = f"; write one of {', '.join(_WORDS[key])}" if key in _WORDS and "there is no" in words else ""
        mistakes.append(f"{name}:{at}: {f'`{key}`: ' if key else ''}{words}{known}")
        return None


_WORDS = {"status": tuple(map(str, Status)), "layer": tuple(map(str, Layer))}


def _filled(value: dict[str, Any]) -> dict[str, Any]:
    """An entry that a person wrote may leave out what only crossfact needs."""
    given = {key: part for key, part in value.items() if part is not None}
    words = {
        "description": given.get("id", ""),
        "subject": "",
        "aspect": "",
        "technique": "criterion",
        "layer": "L2",
    }
    return {**words, "cites": (), **given}


def _refuse_doubles(tree: Tree, top: Json, name: str, mistakes: list[str]) -> None:
    seen: dict[str, int] = {}
    ids = [
        str(value.get("id")) if isinstance(value, dict) else f"the case {index}"
        for index, value in enumerate(top)
    ]
    for index, identifier in enumerate(ids):
        if identifier in seen:
            mistakes.append(
                f"{name}:{tree.line(top, index)}: the id `{identifier}` stands in line {seen[identifier]} already"
            )
        seen.setdefault(identifier, tree.line(top, index))


def _end(rows: Sequence[str], last: int) -> int:
    """The row after the last entry: deeper indented lines of a block text belong to it."""
    while last < len(rows) and rows[last].strip() and rows[last][0] in " \t":
        last += 1
    return last


def _with_comments(rows: Sequence[str], start: int, end: int, has_next: bool) -> tuple[int, int]:
    """An entry's rows with the comments right above its dash, and without those above the next one's."""
    while start > 0 and rows[start - 1].lstrip().startswith("#") and rows[start - 1][0] in " \t":
        start -= 1
    while has_next and end > 0 and rows[end - 1].lstrip().startswith("#") and rows[end - 1][0] in " \t":
        end -= 1
    return start, end


def _closed(lines: Sequence[str]) -> list[str]:
    """Lines of which the last ends in a line feed too, so that something can follow."""
    return [line if line.endswith("\n") else f"{line}\n" for line in lines]
