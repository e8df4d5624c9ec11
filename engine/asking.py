"""Brings the search indexes of a project up to date and makes a searcher over them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.project import Project, Tell
from graph.errors import ConfigurationError, NoEmbedder
from graph.retrieval.embedding import Embedder
from graph.retrieval.index import Index
from graph.retrieval.search import Searcher
from graph.retrieval.vectors import Nearest

Progress = Callable[[int, int], None]

MANY = 200_000
"""From so many vectors on, `vectors = auto` asks Chroma: below, comparing with all of them is faster and exact."""

AT_ONCE = 1_000
"""So many texts are embedded before the first answer, in about ten seconds; where more wait, only a part is."""

PART = 400
"""So many texts each question adds where all of them would take minutes."""

SECONDS = 6.0
"""A question that adds a part ends it after so long, since a busy machine takes minutes for it."""

_CHROMA = "chroma"


def searcher(
    project: Project,
    question: str = "",
    *,
    tell: Tell,
    progress: Progress | None = None,
    by_meaning: bool = True,
    whole: bool = False,
) -> Searcher:
    """A searcher over the published facts of a project; what is not indexed yet is indexed first.

    Where embedding all texts would take minutes, those that the words of `question` find are embedded and some more,
    specs first, unless the `whole` is asked for; how far that is, is told. Where texts cannot be embedded, that is
    told once and words alone are searched, as without `by_meaning`.
    """
    index = Index(project.store)
    embedder = _embedder(project, tell) if by_meaning else None
    with _alone(project) as alone:
        if not alone:
            tell(
                "crossfact: another crossfact is indexing this project; this answer has what is indexed so far."
            )
        elif not index.is_current():
            index.refresh(tell, progress)
        if embedder is None:
            return Searcher(project.store, None, None)
        if alone:
            _embed(project, index, embedder, None if whole else question, tell, progress)
        nearest = _nearest(project, index, embedder, alone, tell, progress)
    return Searcher(project.store, embedder, nearest)


def _embed(
    project: Project,
    index: Index,
    embedder: Embedder,
    question: str | None,
    tell: Tell,
    progress: Progress | None,
) -> None:
    """Embed all that waits or, where that is much, the part of it that a question needs first."""
    index.use(embedder.name)
    waiting = index.waiting()
    if question is None or waiting <= AT_ONCE:
        if waiting:
            index.embed(embedder, progress)
        return
    found = Searcher(project.store, None, None).found_by_words(question)
    end = time.monotonic() + SECONDS
    index.embed(embedder, progress, first=found, most=PART, enough=lambda: time.monotonic() > end)
    left = index.waiting()
    tell(
        f"crossfact: {left} facts are not searchable by meaning yet, only by their words; each question adds some, "
        "`crossfact ask --index` adds all, once."
    )


def _embedder(project: Project, tell: Tell) -> Embedder | None:
    settings = project.settings
    try:
        if settings.embedding_url:
            from engine.llm.embedding import Remote

            return Remote(settings)
        from graph.retrieval.embedding import MiniLm

        return MiniLm()
    except NoEmbedder as error:
        tell(f"crossfact: searching by words only: {error}")
        return None


def _nearest(
    project: Project, index: Index, embedder: Embedder, alone: bool, tell: Tell, progress: Progress | None
) -> Nearest:
    from graph.retrieval.vectors import Exact

    where = project.settings.vectors
    remote = where.startswith(("http://", "https://"))
    if where not in ("auto", "exact", _CHROMA) and not remote:
        raise ConfigurationError(
            f"vectors: {where} is no place for vectors",
            "Use auto, exact, chroma, or the URL of a Chroma server.",
        )
    if alone and (remote or where == _CHROMA or (where == "auto" and index.vectors() > MANY)):
        from graph.retrieval import chroma

        if remote:
            return chroma.served(project.store, where, embedder.dimension, tell, progress)
        if (project.root / project.settings.store).exists():
            return chroma.embedded(project.store, _folder(project), embedder.dimension, tell, progress)
    exact = Exact(project.store, embedder.dimension)
    if alone and not exact.sound:
        tell("crossfact: some stored vectors were damaged or gone; they are made anew.")
        index.forget_damaged(embedder.dimension)
        index.embed(embedder, progress)
        exact = Exact(project.store, embedder.dimension)
    return exact


def _folder(project: Project) -> Path:
    return (project.root / project.settings.store).with_name("chroma")


@contextmanager
def _alone(project: Project) -> Iterator[bool]:
    """Whether no other process writes the indexes; nobody waits, because embedding can take minutes."""
    place = project.root / project.settings.store
    if not place.exists():
        yield True  # a store in memory
        return
    from filelock import FileLock, Timeout

    lock = FileLock(place.with_name("index.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        yield False
        return
    try:
        yield True
    finally:
        lock.release()
