"""What speaks for each link: the features of the most likely artifacts of every passage."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from crossval.link.traces.language import language_of
from crossval.link.traces.likeness import Likeness
from crossval.link.traces.passages import Artifact, Passage
from crossval.link.traces.postings import Postings, against, counted, norms
from graph.retrieval.words import terms

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.float64]

FEATURES = (
    "cosine",
    "bm25 of best",
    "names of best",
    "comments of best",
    "own name",
    "title in names",
    "neighbours of best",
    "best passage",
    "rank",
)
"""The columns of `Candidates.features`; "of best" is relative to the passage's best artifact in this column."""

COMPANY = ("like the likeliest", "like all", "likely ones")
"""The columns that `in_company` adds: how like the artifact is to the passage's likeliest (other) ones and to all
artifacts, and how many artifacts share the passage's chances, all as logarithms."""

CANDIDATES = 60
"""How many artifacts per passage are looked at closely."""

_OWN_NAME, _SYMBOLS = 3.0, 1.0
_CONTEXT, _SIBLINGS = 0.6, 0.1
_BEST = 5
_K, _B = 1.2, 0.75
_FEWEST_WORDS = 2
"""A criterion of one word alone ("call") speaks of everything that is called so."""
_GROUP = re.compile(r"[A-Za-z]+[-_]?\d+(?=\D)")


class Candidates(msgspec.Struct, frozen=True):
    """The likeliest artifacts of one passage, best first: their rows, and one line of features each."""

    passage: int
    rows: NDArray[numpy.int64]
    features: Floats


class Evidence(msgspec.Struct, frozen=True):
    """The candidates of each passage, in the order of passages, and how alike the artifacts are."""

    candidates: list[Candidates]
    likeness: Likeness


def gather(passages: Sequence[Passage], artifacts: Sequence[Artifact]) -> Evidence:
    """Look for the candidates of each passage; there are none where no word is shared."""
    import numpy

    if not passages or not artifacts:
        return Evidence([], Likeness([]))
    index = _Index(passages, artifacts)
    best = numpy.full(len(artifacts), 1e-9)
    found = []
    for number in range(len(passages)):
        columns, score = index.columns(number)
        if len(index.queries[number]) < _FEWEST_WORDS:
            score = numpy.zeros_like(score)
        numpy.maximum(best, score, out=best)
        rows = _highest(score)
        chosen = numpy.stack([column[rows] for column in columns], axis=1)
        found.append((rows, chosen, score[rows]))
    candidates = [
        Candidates(
            number,
            rows,
            numpy.column_stack((chosen, score / best[rows], numpy.log1p(numpy.arange(len(rows))))),
        )
        for number, (rows, chosen, score) in enumerate(found)
    ]
    return Evidence(candidates, index.likeness)


def in_company(found: Candidates, likeness: Likeness, chances: Floats) -> Floats:
    """The features of a passage's candidates, and those of `COMPANY`, once each has a first chance."""
    import numpy

    if not len(chances):
        return numpy.zeros((0, len(FEATURES) + len(COMPANY)))
    best = numpy.argsort(-chances, kind="stable")[:_BEST]
    near = likeness.to_best(found.rows, found.rows[best])
    near[best] -= 1 / len(best)
    return numpy.column_stack(
        (
            found.features,
            numpy.log(numpy.maximum(near, 0.0) + 0.02),
            numpy.log(likeness.to_all[found.rows] + 0.001),
            numpy.full(len(chances), math.log(chances.sum() ** 2 / (chances * chances).sum())),
        )
    )


def _highest(score: Floats) -> NDArray[numpy.int64]:
    """The rows of the candidates: the highest scores above zero, best first."""
    import numpy

    rows = numpy.flatnonzero(score > 0)
    if len(rows) > CANDIDATES:
        least = numpy.partition(score[rows], -CANDIDATES)[-CANDIDATES]
        rows = rows[score[rows] >= least]
    return rows[numpy.argsort(-score[rows], kind="stable")][:CANDIDATES]


class _Index:
    def __init__(self, passages: Sequence[Passage], artifacts: Sequence[Artifact]) -> None:
        self.language = language_of(f"{p.title} {p.text}" for p in passages)
        self.size = len(artifacts)
        self.queries = [counted((1, self._terms(f"{p.title}\n{p.text}"))) for p in passages]
        self.titles = [set(self._terms(p.title)) for p in passages]
        contexts = [self._terms(p.context) for p in passages]
        self._add_context(passages, contexts)
        self._index(artifacts, set().union(*self.queries))
        self._weigh()
        self.edges = _edges(artifacts)

    def _terms(self, text: str) -> list[str]:
        return terms(text, self.language)

    def _add_context(self, passages: Sequence[Passage], contexts: list[list[str]]) -> None:
        """Add the words of the context, and of passages whose ids are parts of one (`UC3S1`, `UC3S2`), a little."""
        groups: dict[str, list[int]] = {}
        for number, passage in enumerate(passages):
            match = _GROUP.match(passage.id)
            if match:
                groups.setdefault(match[0], []).append(number)
        own = [dict(query) for query in self.queries]
        self.said_by = [set(query) for query in own]
        self.spread = Counter(term for query in own for term in query)
        for number, words in enumerate(contexts):
            for word in set(words) - own[number].keys():
                self.queries[number][word] = _CONTEXT
        for members in groups.values():
            for number in members:
                share = _SIBLINGS / max(len(members) - 1, 1)
                for other in members:
                    if other != number:
                        for word in own[other].keys() - own[number].keys():
                            self.queries[number][word] = self.queries[number].get(word, 0.0) + share

    def _index(self, artifacts: Sequence[Artifact], vocabulary: set[str]) -> None:
        whole, alone, names, own, titles, comments = [], [], [], [], [], []
        for artifact in artifacts:
            name, symbols = self._terms(artifact.name), self._terms(artifact.symbols)
            said = self._terms(artifact.comments)
            body = self._terms(artifact.body) or [*name, *self._terms(artifact.place), *symbols, *said]
            alone.append(counted((1, body), (_OWN_NAME, name), (_SYMBOLS, symbols)))
            whole.append(dict.fromkeys(self._terms(artifact.around), 1.0) | alone[-1])
            names.append(dict.fromkeys((*name, *symbols), 1.0))
            own.append(dict.fromkeys(name, 1.0))
            titles.append(dict.fromkeys((*name, *self._terms(artifact.place)), 1.0))
            comments.append(counted((1, said)))
        self.likeness = Likeness(whole)
        self.whole = Postings(whole, vocabulary)
        # What is said of a whole module of tests is as rare as the module is.
        self.alone = Postings(alone, vocabulary) if any(each.around for each in artifacts) else self.whole
        self.named = Postings(names, vocabulary)
        self.own = Postings(own, vocabulary)
        self.titled = Postings(titles, vocabulary)
        self.said = Postings(comments, vocabulary)

    def _weigh(self) -> None:
        """The weights of terms: rare among artifacts counts, common among passages (a form's headings) does not."""
        size, passages = self.size, len(self.queries)
        held = {
            term: self.alone.holding(term) or min(self.whole.holding(term), 1)
            for query in self.queries
            for term in query
        }
        self.rare = {term: max(math.log((size + 1) / (count + 0.5)), 0.0) for term, count in held.items()}
        self.rarity = {
            term: math.log(1 + (size - count + 0.5) / (count + 0.5)) for term, count in held.items()
        }
        self.telling = {
            term: min(1.0, max(2 * math.log((passages + 1) / (self.spread.get(term, 0) + 0.5)), 0.0)
                      / math.log(passages + 1))
            for term in held
        }  # fmt: skip
        self.tf_idf = self.whole.replaced(self.rare, "log")
        self.bm25 = self.whole.saturated(_K, _B)
        self.names = self.named.replaced(self.rare, "one")
        self.title = self.titled.replaced(self.rare, "one")
        self.comments = self.said.replaced(self.rare, "log")
        self.name = self.own.replaced(self.rare, "one")
        self.lengths = [norms(each, size) for each in (self.tf_idf, self.names, self.comments, self.title)]
        known = against(dict.fromkeys(self.rare, 1.0), self.name, size)
        held_own = against(
            dict.fromkeys(self.rare, 1.0), self.own.replaced(dict.fromkeys(self.rare, 1.0), "one"), size
        )
        # A term of the name that no passage holds is as rare as can be.
        self.name_mass = known + (self.own.kinds - held_own) * math.log(size + 1) + 1e-9

    def columns(self, number: int) -> tuple[list[Floats], Floats]:
        """All features but the last two for every artifact, and the score by which candidates are chosen."""
        query = self.queries[number]
        counts = {t: (1 + math.log(c) if c >= 1 else c) * self.telling[t] for t, c in query.items()}
        weighed = _unit({t: c * self.rare[t] for t, c in counts.items()})
        cosine = against(weighed, self.tf_idf, self.size) / self.lengths[0]
        limited = {t: min(c, 2.0) * self.rarity[t] for t, c in counts.items()}
        ideal = (_K + 1) * sum(limited.values()) or 1.0
        bm25 = against(limited, self.bm25, self.size) / ideal
        names = against(weighed, self.names, self.size) / self.lengths[1]
        comments = against(weighed, self.comments, self.size) / self.lengths[2]
        own = against({t: self.telling[t] for t in query}, self.name, self.size) / self.name_mass
        heading = _unit({t: self.rare[t] * self.telling[t] for t in self.titles[number] & self.rare.keys()})
        title = against(heading, self.title, self.size) / self.lengths[3]
        near = _relative(cosine) + 0.5 * _relative(bm25) + 0.5 * own
        neighbours = _relative(self._spread(near))
        best = [_relative(each) for each in (bm25, names, comments)]
        shares = against(dict.fromkeys(self.said_by[number], 1.0), self.tf_idf, self.size) > 0
        return [cosine, *best, own, title, neighbours], (near + 0.3 * neighbours) * shares

    def _spread(self, score: Floats) -> Floats:
        """What each artifact gets from those that it uses or that use it; those with many share it thinly."""
        import numpy

        first, second, weight = self.edges
        spread: Floats = numpy.bincount(second, score[first] * weight, self.size).astype(numpy.float64)
        return spread


def _unit(vector: dict[str, float]) -> dict[str, float]:
    length = math.sqrt(sum(value * value for value in vector.values())) or 1.0
    return {term: value / length for term, value in vector.items()}


def _relative(column: Floats) -> Floats:
    highest = float(column.max())
    return column / highest if highest > 1e-9 else column


def _edges(artifacts: Sequence[Artifact]) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64], Floats]:
    """Both directions of every use: from, to, and a weight that shrinks with the degrees of both ends."""
    import numpy

    pairs = sorted(set(_uses(artifacts)))
    first = numpy.array([a for a, _ in pairs], numpy.int64)
    second = numpy.array([b for _, b in pairs], numpy.int64)
    degree = numpy.maximum(numpy.bincount(first, minlength=len(artifacts)), 1)
    return first, second, 1 / numpy.sqrt(degree[first] * degree[second])


def _uses(artifacts: Sequence[Artifact]) -> Iterator[tuple[int, int]]:
    rows = {artifact.id: row for row, artifact in enumerate(artifacts)}
    for row, artifact in enumerate(artifacts):
        for used in artifact.uses:
            other = rows.get(used, row)
            if other != row:
                yield row, other
                yield other, row
