"""Answers a question with facts, ranked by words, meaning and relations together."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from graph.facts import Fact, Kind, Tag
from graph.retrieval.embedding import Embedder
from graph.retrieval.expansion import related
from graph.retrieval.question import Question, understood
from graph.retrieval.vectors import Nearest
from graph.store import passages
from graph.store.records import TYPES
from graph.store.store import Store

_UBIQUITOUS = 10_000


class Blend(msgspec.Struct, frozen=True):
    """How much each signal counts, as benchmarks/retrieval measured it.

    `meaning` is the share of the vectors (words have the rest), `meaning_by_name` that where the question names
    something; `relations` is added for being near the best hits, `exact` for a key that the question has. A word in a
    fact's name counts `name` times one in its text. `candidates` are looked at per signal; relations start at `seeds`.
    """

    meaning: float = 0.75
    meaning_by_name: float = 0.5
    relations: float = 0.2
    exact: float = 1.0
    name: float = 2.0
    candidates: int = 100
    seeds: int = 10


class Signals(msgspec.Struct, frozen=True, omit_defaults=True):
    """What found a fact: `exact` where the question has its key, the BM25 score of `keyword`, the cosine of `vector`,
    and the share of attention (at most 1 in all) that `graph` passed to it; 0 where a signal did not find it.
    """

    exact: bool = False
    keyword: float = 0.0
    vector: float = 0.0
    graph: float = 0.0


class Hit(msgspec.Struct, frozen=True):
    """A fact that answers, how well (only to be compared within one answer), and what found it."""

    fact: Fact
    score: float
    signals: Signals


class Searcher:
    """Searches one published revision; made once, it answers many questions."""

    def __init__(
        self, store: Store, embedder: Embedder | None, nearest: Nearest | None, blend: Blend | None = None
    ) -> None:
        """Without an embedder or vectors, words and relations alone are used."""
        self._store = store
        self._embedder = embedder
        self._nearest = nearest
        self._blend = blend or Blend()

    def search(
        self, text: str, *, limit: int = 10, kinds: Collection[Kind] = (), tags: Collection[Tag] = ()
    ) -> list[Hit]:
        """The best facts for a question, best first; of these kinds and witnesses only, where some are given."""
        types = types_of(kinds, tags)
        question = understood(text)
        exact = self._exact(question, types)
        keyword = self._keyword(question, types)
        vector = self._vector(question, types, keyword)
        base = self._blended(question, exact, keyword, vector)
        graph = self._graph(base, types)
        # What two ways find is better than what is only near to it.
        highest = max(graph.values(), default=0.0) or 1.0
        total = {
            row: base.get(row, 0.0) + self._blend.relations * graph.get(row, 0.0) / highest
            for row in {*base, *graph}
        }
        best = sorted(total, key=lambda row: (-total[row], row))[:limit]
        facts = {row: fact for row, _, fact in passages.facts_in(self._store.dialect, best)}
        return [
            Hit(
                facts[row],
                round(total[row], 4),
                Signals(
                    row in exact,
                    round(keyword.get(row, 0.0), 3),
                    round(vector.get(row, 0.0), 3),
                    round(graph.get(row, 0.0), 4),
                ),
            )
            for row in best
            if row in facts
        ]

    def found_by_words(self, text: str) -> set[int]:
        """The rows of the facts that a question finds without its meaning: those worth embedding first."""
        question = understood(text)
        return {*self._exact(question, ()), *self._keyword(question, ())}

    def _exact(self, question: Question, types: Collection[int]) -> set[int]:
        return set(
            passages.named_exactly(
                self._store.dialect, self._store.revision, question.exact, types, self._blend.candidates
            )
        )

    def _keyword(self, question: Question, types: Collection[int]) -> dict[int, float]:
        query = match_expression(question.phrases, self._telling(question.terms))
        if not query:
            return {}
        blend = self._blend
        found = passages.matching(
            self._store.dialect, self._store.revision, query, blend.name, types, blend.candidates
        )
        return dict(found)

    def _telling(self, terms: Sequence[str]) -> Sequence[str]:
        """The terms without those that so many facts have that ranking them would take long and tell nothing."""
        counts = {term: passages.occurrences(self._store.dialect, term) for term in terms}
        rare = [term for term in terms if counts[term] <= _UBIQUITOUS]
        return rare if any(counts[term] for term in rare) else terms

    def _vector(
        self, question: Question, types: Collection[int], others: Collection[int]
    ) -> dict[int, float]:
        if self._embedder is None or self._nearest is None or not question.text.strip():
            return {}
        vector = self._embedder.embed([question.text])[0]
        found = self._nearest.nearest(vector, types, self._blend.candidates)
        missing = [row for row in others if row not in found]
        return found | self._nearest.cosines(vector, missing)

    def _blended(
        self,
        question: Question,
        exact: Collection[int],
        keyword: Mapping[int, float],
        vector: Mapping[int, float],
    ) -> dict[int, float]:
        blend = self._blend
        meaning = blend.meaning_by_name if question.is_by_name else blend.meaning
        if not vector:
            meaning = 0.0
        words, meanings = _scaled(keyword, lowest=0.0), _scaled(vector)
        return {
            row: meaning * meanings.get(row, 0.0)
            + (1 - meaning) * words.get(row, 0.0)
            + blend.exact * (row in exact)
            for row in {*exact, *keyword, *vector}
        }

    def _graph(self, base: Mapping[int, float], types: Collection[int]) -> dict[int, float]:
        """What relations add to the hits, and the facts that they alone lead to."""
        if not self._blend.relations:
            return {}
        dialect, revision = self._store.dialect, self._store.revision
        seeds = sorted(base, key=lambda row: (-base[row], row))[: self._blend.seeds]
        symbols = passages.symbols_of(dialect, seeds)
        weights: dict[int, float] = {}
        for row in seeds:
            weights[symbols[row]] = max(weights.get(symbols[row], 0.0), base[row])
        weights = {symbol: weight for symbol, weight in weights.items() if weight > 0}
        ranks = related(self._store, weights)
        best = sorted(ranks, key=lambda symbol: (-ranks[symbol], symbol))[: self._blend.candidates]
        return {
            row: ranks[symbol] for row, symbol in passages.rows_of_symbols(dialect, revision, best, types)
        }


def types_of(kinds: Collection[Kind], tags: Collection[Tag]) -> frozenset[int]:
    """The store's numbers of these kinds and witnesses; none where all are wanted."""
    if not kinds and not tags:
        return frozenset()
    return frozenset(TYPES[tag, kind] for tag in (tags or Tag) for kind in (kinds or Kind))


def match_expression(phrases: Sequence[Sequence[str]], terms: Sequence[str]) -> str:
    """A query of FTS5: any of the terms, and the phrases besides; empty where there are none."""
    together = [" ".join(phrase) for phrase in phrases if len(phrase) > 1]
    return " OR ".join(f'"{each}"' for each in (*together, *terms))


def _scaled(scores: Mapping[int, float], lowest: float | None = None) -> dict[int, float]:
    """Scores moved to 0 … 1, so that those of different signals can be added."""
    if not scores:
        return {}
    low = min(scores.values()) if lowest is None else lowest
    span = max(scores.values()) - low
    return {row: (score - low) / span if span > 0 else 1.0 for row, score in scores.items()}
