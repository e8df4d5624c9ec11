"""Prints how well each signal, and their blend, find the facts that answer the questions of gold.txt.

python -m benchmarks.retrieval.quality [--tune] [--misses] [--today]

With `--today`, those about crossfact are asked of the checkout as it is, and not of the commit they were written for.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchmarks.retrieval.gold import ROOT, Asked, measured, opened, rank_of, read_gold, unknown_keys
from graph.retrieval.embedding import MiniLm
from graph.retrieval.index import Index
from graph.retrieval.search import Blend, Searcher
from graph.retrieval.vectors import Exact
from graph.store.store import Store

if TYPE_CHECKING:
    from graph.retrieval.embedding import Vectors

SIGNALS = {
    "keyword alone": Blend(meaning=0.0, meaning_by_name=0.0, relations=0.0, exact=0.0),
    "vector alone": Blend(meaning=1.0, meaning_by_name=1.0, relations=0.0, exact=0.0),
    "blend without relations": Blend(relations=0.0),
    "blend": Blend(),
}


class Remembering:
    """The model, with the vectors of questions that it has seen."""

    def __init__(self) -> None:
        self._model = MiniLm()
        self.name, self.dimension = self._model.name, self._model.dimension
        self._known: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`."""
        if len(texts) != 1:
            return self._model.embed(texts)
        if texts[0] not in self._known:
            self._known[texts[0]] = self._model.embed(texts)
        return self._known[texts[0]]


def main() -> None:
    """Index all projects, and print a table per half of the questions."""
    questions = read_gold()
    embedder = Remembering()
    stores: dict[str, tuple[Store, Exact]] = {}
    for name in dict.fromkeys(each.project for each in questions):
        project = opened(name, ROOT if name == "crossfact" and "--today" in sys.argv else None)
        index = Index(project.store)
        index.refresh(print)
        index.embed(embedder)
        stores[name] = project.store, Exact(project.store, embedder.dimension)
        if unknown := unknown_keys(project, [each for each in questions if each.project == name]):
            print(f"{name}: no fact is called {', '.join(unknown)}")
    if "--tune" in sys.argv:
        tune(questions, embedder, stores)
        return
    for testing in (False, True):
        half = [each for each in questions if each.testing is testing]
        print(f"\n{'testing' if testing else 'tuning'} half, {len(half)} questions")
        for name, blend in SIGNALS.items():
            print(f"  {name:<26}{_line(half, embedder, stores, blend)}")
    if "--misses" in sys.argv:
        _misses([each for each in questions if not each.testing], embedder, stores)


def tune(questions: Sequence[Asked], embedder: Remembering, stores: dict[str, tuple[Store, Exact]]) -> None:
    """Print the best blends on the tuning half, best first."""
    half = [each for each in questions if not each.testing]
    tried = []
    for meaning, by_name, relations, name, seeds in itertools.product(
        (0.6, 0.7, 0.75, 0.8, 0.85, 0.9), (0.5, 0.7), (0.0, 0.1, 0.2), (1.0, 2.0), (5, 10)
    ):
        blend = Blend(meaning, by_name, relations, 1.0, name, 100, seeds)
        tried.append((measured(_searchers(embedder, stores, blend), half), blend))
    for figures, blend in sorted(tried, key=lambda pair: -pair[0].mrr)[:25]:
        print(f"{figures.mrr:.3f} {figures.first:.3f} {figures.five:.3f} {figures.ten:.3f}  {blend}")


def _searchers(
    embedder: Remembering, stores: dict[str, tuple[Store, Exact]], blend: Blend
) -> dict[str, Searcher]:
    return {name: Searcher(store, embedder, exact, blend) for name, (store, exact) in stores.items()}


def _line(
    half: Sequence[Asked], embedder: Remembering, stores: dict[str, tuple[Store, Exact]], blend: Blend
) -> str:
    found = measured(_searchers(embedder, stores, blend), half)
    return f"MRR {found.mrr:.3f}  R@1 {found.first:.3f}  R@5 {found.five:.3f}  R@10 {found.ten:.3f}"


def _misses(half: Sequence[Asked], embedder: Remembering, stores: dict[str, tuple[Store, Exact]]) -> None:
    searchers = _searchers(embedder, stores, Blend())
    for each in half:
        rank = rank_of(searchers[each.project], each)
        if not 0 < rank <= 5:
            best = [hit.fact.key for hit in searchers[each.project].search(each.question, limit=3)]
            print(f"{each.project}: {each.question} at {rank or 'none'}; first are {best}")


if __name__ == "__main__":
    main()
