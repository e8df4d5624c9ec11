"""The source lines that a page carries: those around each place that it shows, each line once."""

from __future__ import annotations

from collections.abc import Iterable

from crossval.report.escape import brief, clean
from crossval.report.report import Texts

BUDGET = 4_000_000
"""Characters of source that a page carries at most; the first places asked for come first."""

_LONGEST = 240
_TAB = 4
_MORE = "…"


class Sources:
    """Collects the lines around places. Lines that cannot be read are left out, long ones are cut."""

    def __init__(self, texts: Texts, budget: int = BUDGET) -> None:
        self._texts = texts
        self._room = budget
        self._lines: dict[str, dict[int, str]] = {}

    def take(self, path: str, first: int, last: int) -> None:
        """Take the lines `first` to `last` of a file, as far as there are such and there is room."""
        lines = self._texts(path) if self._room > 0 else None
        if lines is None:
            return
        known = self._lines.setdefault(path, {})
        for number in range(max(1, first), min(len(lines), last) + 1):
            if number not in known and self._room > 0:
                known[number] = _shown(lines[number - 1])
                self._room -= len(known[number]) + 4

    def document(self) -> dict[str, list[list[object]]]:
        """For each file, by path, its runs of lines: the number of the first one, then their texts."""
        return {brief(path): _runs(self._lines[path].items()) for path in sorted(self._lines)}


def _runs(lines: Iterable[tuple[int, str]]) -> list[list[object]]:
    runs: list[list[object]] = []
    for number, text in sorted(lines):
        if runs and runs[-1][0] + len(runs[-1]) - 1 == number:  # type: ignore[operator]  # the first is a number
            runs[-1].append(text)
        else:
            runs.append([number, text])
    return runs


def _shown(line: str) -> str:
    text = clean(line[: _LONGEST + 1]).replace("\n", r"\n").expandtabs(_TAB).rstrip(" ")
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}{_MORE}"
