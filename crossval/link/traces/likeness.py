"""How alike artifacts are by all their words, whether a passage says them or not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.float64]
    Rows = NDArray[numpy.int64]


class Likeness:
    """The artifacts' terms, weighted by TF-IDF, as one sparse matrix whose rows have length 1.

    `to_all` is the mean cosine of each artifact to all the others, `crowd` the mean of that over all artifacts, `size`
    how many there are.
    """

    def __init__(self, documents: Sequence[Mapping[str, float]]) -> None:
        """`documents`: the counted terms of each artifact; a term that only one artifact has tells nothing."""
        import numpy

        self.size = size = len(documents)
        held: dict[str, int] = {}
        for document in documents:
            for term in document:
                held[term] = held.get(term, 0) + 1
        common = {term: number for number, term in enumerate(each for each in held if held[each] > 1)}
        rare = numpy.array([math.log(size / held[term]) for term in common])
        kept = [[term for term in document if term in common] for document in documents]
        starts = [0, *numpy.cumsum([len(each) for each in kept]).tolist()]
        self._start: Rows = numpy.array(starts, numpy.int64)
        self._term: Rows = numpy.fromiter((common[term] for term in chain.from_iterable(kept)), numpy.int64)
        counts = numpy.fromiter(
            (document[term] for document, each in zip(documents, kept, strict=True) for term in each),
            numpy.float64,
        )
        weight = (1 + numpy.log(numpy.maximum(counts, 1))) * rare[self._term]
        owner = numpy.repeat(numpy.arange(size), numpy.diff(self._start))
        lengths = numpy.sqrt(numpy.bincount(owner, weight * weight, size))
        self._weight: Floats = weight / numpy.maximum(lengths, 1e-9)[owner]
        self._terms = max(len(common), 1)
        everything = numpy.arange(size)
        itself = 1 / max(size, 1)
        self.to_all: Floats = numpy.maximum(self.to_best(everything, everything) - itself, 0.0)
        self.crowd = float(self.to_all.mean()) if size else 0.0

    def to_best(self, rows: Rows, best: Rows) -> Floats:
        """The mean cosine of each of the rows to the best ones, itself included where it is one of them."""
        import numpy

        place, _ = self._entries(best)
        middle = numpy.bincount(self._term[place], self._weight[place], self._terms) / max(len(best), 1)
        place, owner = self._entries(rows)
        product = numpy.bincount(owner, self._weight[place] * middle[self._term[place]], len(rows))
        return product.astype(numpy.float64)

    def _entries(self, rows: Rows) -> tuple[Rows, Rows]:
        """Where the entries of the rows stand, and which of the rows each belongs to."""
        import numpy

        counts = self._start[rows + 1] - self._start[rows]
        owner = numpy.repeat(numpy.arange(len(rows)), counts)
        first = numpy.cumsum(counts) - counts
        return numpy.arange(len(owner)) - first[owner] + self._start[rows][owner], owner
