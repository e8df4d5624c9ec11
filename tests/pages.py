"""Pages of Markdown whose cases say what goes in and what comes out; `--update` writes what comes out into them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest


class Case:
    """One case of a page, found by a pattern with the groups `title` and that of what is expected."""

    def __init__(self, page: Path, match: re.Match[str], expected: str) -> None:
        self.page = page
        self.title = match["title"]
        self._match = match
        self._expected = expected

    def __getitem__(self, group: str) -> str:
        return self._match[group]

    def holds(self, found: str, update: bool) -> None:
        """Demand that this is what the page expects, or write it there."""
        if not update:
            assert found == self[self._expected]
            return
        content = self.page.read_text(encoding="utf-8")
        start = content.index(self._match[0]) + self._match.start(self._expected) - self._match.start()
        end = start + len(self[self._expected])
        self.page.write_text(content[:start] + found + content[end:], encoding="utf-8")


class Pages:
    """Pages with cases of one pattern."""

    def __init__(self, files: Iterable[Path], case: re.Pattern[str], expected: str) -> None:
        self._files = sorted(files)
        self._case = case
        self._expected = expected

    def cases(self, page: Path) -> list[Case]:
        """All cases of a page in their order."""
        content = page.read_text(encoding="utf-8")
        return [Case(page, match, self._expected) for match in self._case.finditer(content)]

    def each(self) -> pytest.MarkDecorator:
        """A test of this mark is given every `case`."""
        every = [case for page in self._files for case in self.cases(page)]
        return pytest.mark.parametrize("case", every, ids=lambda case: f"{case.page.stem}-{case.title}")

    def assert_that_all_are_seen(self) -> None:
        """No heading of a page is without a case that the pattern finds."""
        assert self._files
        for page in self._files:
            headings = re.findall(r"^## ", page.read_text(encoding="utf-8"), re.MULTILINE)
            assert len(headings) == len(self.cases(page)) > 0, page
