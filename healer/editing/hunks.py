"""Applies a unified diff by what its hunks say, and never by the line numbers that they claim."""

from __future__ import annotations

import itertools

import msgspec

from healer.editing.exchanging import Refused, place_of

_MOST_LINES = 2000


class Hunk(msgspec.Struct, frozen=True):
    """Lines that stand in the file, and those that take their place, without line ends."""

    before: tuple[str, ...]
    after: tuple[str, ...]


def patched(words: str, patch: str, path: str) -> str:
    """The text with all hunks of a diff applied; those that were applied before are left out.

    Each must fit exactly one place. Raises Refused where one does not, where the diff is none or is of another file
    than `path`, or where hunks overlap.
    """
    lines = words.split("\n")
    edits: list[tuple[int, Hunk]] = []
    for number, hunk in enumerate(hunks(patch, path), start=1):
        try:
            place = place_of(tuple(lines), hunk.before, hunk.after)
        except Refused as error:
            raise Refused(f"hunk {number}: {error}") from error
        if place is not None:
            edits.append((place, hunk))
    edits.sort(key=lambda each: each[0])
    for (first, hunk), (second, _) in itertools.pairwise(edits):
        if first + len(hunk.before) > second:
            raise Refused("two hunks change the same lines")
    for place, hunk in reversed(edits):
        lines[place : place + len(hunk.before)] = hunk.after
    return "\n".join(lines)


def hunks(patch: str, path: str) -> list[Hunk]:
    """The hunks of a unified diff of one file. Raises Refused where it is none, or is of another file."""
    found: list[Hunk] = []
    before: list[str] | None = None
    after: list[str] = []
    lines = patch.split("\n")
    while lines and not lines[-1]:  # from whoever quoted it: a blank line of the file has a blank before it
        lines.pop()
    if len(lines) > _MOST_LINES:
        raise Refused(f"the diff has more than {_MOST_LINES} lines")
    for place, line in enumerate(lines):
        if line.startswith("@@"):
            _add(found, before, after)
            before, after = [], []
        elif before is None or _is_header(lines, place):
            _refuse_other_file(line, path)
            _add(found, before, after)
            before = None
        elif line.startswith("-"):
            before.append(line[1:])
        elif line.startswith("+"):
            after.append(line[1:])
        elif line.startswith(" ") or not line:
            before.append(line[1:])
            after.append(line[1:])
        elif not line.startswith("\\"):
            raise Refused(f"line {place + 1} of the diff is none: it begins with {line[0]!r}")
    _add(found, before, after)
    if not found:
        raise Refused("the diff has no hunk")
    return found


def _is_header(lines: list[str], place: int) -> bool:
    """Whether a line begins the part of another file, or belongs to such a beginning."""
    line = lines[place]
    if line.startswith("diff --git "):
        return True
    pair = lines[place : place + 3]
    return (
        len(pair) == 3 and pair[0].startswith("--- ") and pair[1].startswith("+++ ") and pair[2][:2] == "@@"
    )


def _refuse_other_file(line: str, path: str) -> None:
    if line.startswith(
        ("rename ", "copy ", "new file", "deleted file", "new mode", "old mode", "Binary ", "GIT ")
    ):
        raise Refused("the diff does more than change the lines of a file")
    if not line.startswith(("--- ", "+++ ")):
        return
    name = line[4:].partition("\t")[0].strip()
    if name.removeprefix("a/") != path and name.removeprefix("b/") != path and name != path:
        raise Refused(f"the diff is of another file than {path}")


def _add(found: list[Hunk], before: list[str] | None, after: list[str]) -> None:
    if before is None:
        return
    if not before or (len(before) == 1 and not before[0]):
        raise Refused("a hunk says nothing of where it belongs")
    found.append(Hunk(tuple(before), tuple(after)))
