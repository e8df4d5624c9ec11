"""Where the tools do their work: the project of the server, opened for one call, and what is told on the way."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from engine.mcp import bounds, told
from engine.project import Project, open_project, refresh
from graph.facts import Fact, Relation, Skipped
from graph.statements import statement
from ingest.text import lines, read_text

_SECONDS_BETWEEN = 0.2
_NOTES = 20


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line settled for the whole life of a server."""

    root: str
    options: dict[str, Any] = {}
    configuration: str = ""
    writes: bool = False


class Desk:
    """One call's view of the project."""

    def __init__(self, settled: Settled, progress: Callable[[int, int, str], None]) -> None:
        self.writes = settled.writes
        self.root = Path(settled.root)
        self.notes: list[str] = []
        self._settled = settled
        self._progress = progress
        self._shown = 0.0

    @contextmanager
    def project(self) -> Iterator[Project]:
        """The project as its settings are now. Nothing is read yet."""
        settled = self._settled
        project = open_project(
            (),
            here=self.root,
            environment=os.environ,
            options=settled.options,
            configuration=Path(settled.configuration) if settled.configuration else None,
            tell=self.tell,
        )
        try:
            yield project
        finally:
            project.store.close()

    @contextmanager
    def fresh(self) -> Iterator[Project]:
        """The project with its facts brought up to date."""
        with self.project() as project:
            refresh(project, tell=self.tell, progress=self.reading)
            yield project

    def tell(self, words: str) -> None:
        """Keep a notice for the answer."""
        if len(self.notes) < _NOTES:
            self.notes.append(words.removeprefix("crossfact: "))

    def reading(self, done: int, total: int) -> None:
        """Files were read."""
        self.progress(done, total, "reading")

    def progress(self, done: int, total: int, words: str) -> None:
        """Something got on; told a few times a second."""
        now = time.monotonic()
        if now - self._shown >= _SECONDS_BETWEEN:
            self._shown = now
            self._progress(done, total, words)

    def excerpt(self, path: str, first: int, last: int) -> tuple[str, ...]:
        """Lines of a file of the project; none where it cannot be read."""
        content = read_text(self.root, path)
        if isinstance(content, Skipped):
            return ()
        return tuple(bounds.text(line, 400) for line in lines(content)[max(0, first - 1) : last])


def fact_told(fact: Fact) -> told.Fact:
    """A fact in brief."""
    return told.Fact(
        id=fact.id,
        tag=fact.tag,
        kind=fact.kind,
        name=bounds.text(fact.name, 500),
        statement=bounds.text(statement(fact), 1_000),
        path=fact.source.path,
        line=fact.source.line,
        end_line=fact.source.end_line,
    )


def relation_told(relation: Relation) -> told.Relation:
    """A relation."""
    return told.Relation(
        verb=relation.verb,
        first=relation.first,
        second=relation.second,
        confidence=relation.confidence,
        reason=bounds.text(relation.reason, 500),
    )
