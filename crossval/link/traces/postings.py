"""An inverted index over one field of all artifacts: which hold a term, and how often."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.float64]
    Posting = tuple[NDArray[numpy.int64], Floats]


class Postings:
    """Term → the rows of the artifacts that hold it, and the term's weighted count there.

    `vocabulary` holds the terms that can be asked for: others are only counted (`lengths`: terms per artifact,
    weighted; `kinds`: different terms per artifact).
    """

    def __init__(self, documents: Iterable[Mapping[str, float]], vocabulary: set[str]) -> None:
        import numpy

        rows: dict[str, list[int]] = {}
        counts: dict[str, list[float]] = {}
        lengths, kinds = [], []
        for row, document in enumerate(documents):
            lengths.append(sum(document.values()))
            kinds.append(len(document))
            for term in document.keys() & vocabulary:
                rows.setdefault(term, []).append(row)
                counts.setdefault(term, []).append(document[term])
        self.lengths: Floats = numpy.array(lengths, numpy.float64)
        self.kinds: Floats = numpy.array(kinds, numpy.float64)
        self.size = len(lengths)
        self._of: dict[str, Posting] = {
            term: (numpy.array(found, numpy.int64), numpy.array(counts[term], numpy.float64))
            for term, found in rows.items()
        }

    def holding(self, term: str) -> int:
        """How many artifacts hold a term."""
        posting = self._of.get(term)
        return len(posting[0]) if posting else 0

    def replaced(self, weigh: Mapping[str, float], count: str) -> dict[str, Posting]:
        """Term → rows and weights: the term's weight times its count, whose form `count` tells.

        `log`: 1 + ln(count); `one`: 1 wherever it occurs.
        """
        import numpy

        made = {}
        for term, (rows, counts) in self._of.items():
            form = 1 + numpy.log(numpy.maximum(counts, 1)) if count == "log" else numpy.ones(len(counts))
            made[term] = (rows, form * weigh.get(term, 0.0))
        return made

    def saturated(self, k: float, b: float) -> dict[str, Posting]:
        """Term → rows and BM25's saturated counts (Robertson and Zaragoza 2009), without the inverse frequency."""

        shape = k * (1 - b + b * self.lengths / max(float(self.lengths.mean()), 1e-9))
        return {
            term: (rows, counts * (k + 1) / (counts + shape[rows]))
            for term, (rows, counts) in self._of.items()
        }


def norms(weighted: Mapping[str, Posting], size: int) -> Floats:
    """The Euclidean length of each artifact's row; never zero."""
    import numpy

    squares: Floats = numpy.zeros(size)
    for rows, weights in weighted.values():
        squares[rows] += weights * weights
    return numpy.maximum(numpy.sqrt(squares), 1e-9)


def against(query: Mapping[str, float], weighted: Mapping[str, Posting], size: int) -> Floats:
    """The inner product of a query with every artifact's row."""
    import numpy

    scores: Floats = numpy.zeros(size)
    for term, weight in query.items():
        posting = weighted.get(term)
        if posting is not None:
            scores[posting[0]] += weight * posting[1]
    return scores


def counted(*parts: tuple[float, list[str]]) -> dict[str, float]:
    """Each part's terms, counted with the part's weight."""
    total: dict[str, float] = {}
    for weight, words in parts:
        for word in words:
            total[word] = total.get(word, 0.0) + weight
    return total
