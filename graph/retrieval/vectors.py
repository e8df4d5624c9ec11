"""Compares a question's vector with those of all facts: exactly, out of the fact store."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from graph.store import passages
from graph.store.store import Store

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from graph.retrieval.embedding import Vectors

    Numbers = NDArray[numpy.int64]


_AT_ONCE = 4_096


class Nearest(Protocol):
    """Finds the facts whose vectors are nearest to one."""

    def nearest(self, vector: Vectors, types: Collection[int], count: int) -> dict[int, float]:
        """The cosine of the `count` nearest facts of these types (of all where empty), by row."""
        ...

    def cosines(self, vector: Vectors, rows: Collection[int]) -> dict[int, float]:
        """The cosine of these facts, by row; those without a vector are left out."""
        ...


class Exact:
    """All vectors in one matrix in memory: no approximation, and at 100,000 facts a few milliseconds."""

    def __init__(self, store: Store, dimension: int) -> None:
        """Load the vectors of the published facts. Those of another length than `dimension` are left out."""
        import numpy

        self._store = store
        self.sound = True
        """Whether every fact's vector was there, with the right length."""
        ((count,),) = store.dialect.execute("SELECT count(*) FROM vector")
        self._numbers = numpy.zeros(count, dtype=numpy.int64)
        self._matrix = numpy.zeros((count, dimension), dtype=numpy.float32)
        filled = 0
        rows = iter(store.dialect.execute("SELECT id, numbers FROM vector ORDER BY id LIMIT ?", (count,)))
        # Some at a time: all of them at once would be held three times over.
        while some := list(islice(rows, _AT_ONCE)):
            whole = [row for row in some if len(row[1]) == 2 * dimension]
            self.sound = self.sound and len(whole) == len(some)
            halves = numpy.frombuffer(b"".join(blob for _, blob in whole), dtype=numpy.float16)
            self._matrix[filled : filled + len(whole)] = halves.reshape(len(whole), dimension)
            self._numbers[filled : filled + len(whole)] = [number for number, _ in whole]
            filled += len(whole)
        self._matrix, self._numbers = self._matrix[:filled], self._numbers[:filled]
        self._places: dict[tuple[int, ...], tuple[Numbers, Numbers]] = {}
        self._lines(())

    def nearest(self, vector: Vectors, types: Collection[int], count: int) -> dict[int, float]:
        """See `Nearest.nearest`."""
        import numpy

        rows, lines = self._lines(types)
        cosines = (self._matrix @ vector)[lines]
        if len(cosines) > count:
            best = numpy.argpartition(-cosines, count)[:count]
        else:
            best = numpy.arange(len(cosines))
        return dict(zip(rows[best].tolist(), cosines[best].tolist(), strict=True))

    def cosines(self, vector: Vectors, rows: Collection[int]) -> dict[int, float]:
        """See `Nearest.cosines`."""
        import numpy

        known, lines = self._lines(())
        at = numpy.searchsorted(known, sorted(rows))
        found = {}
        for row, place in zip(sorted(rows), at.tolist(), strict=True):
            if place < len(known) and known[place] == row:
                found[row] = float(self._matrix[lines[place]] @ vector)
        return found

    def _lines(self, types: Collection[int]) -> tuple[Numbers, Numbers]:
        """The rows of the facts of these types in order, and the line of each one's vector in the matrix."""
        import numpy

        key = tuple(sorted(types))
        if key not in self._places:
            pairs = numpy.array(
                list(passages.places(self._store.dialect, self._store.revision, key)), dtype=numpy.int64
            ).reshape(-1, 2)
            lines = numpy.searchsorted(self._numbers, pairs[:, 1])
            sound = numpy.zeros(len(pairs), dtype=bool)
            inside = lines < len(self._numbers)
            sound[inside] = self._numbers[lines[inside]] == pairs[inside, 1]
            self.sound = self.sound and bool(sound.all())
            order = numpy.argsort(pairs[sound, 0], kind="stable")
            self._places[key] = (pairs[sound, 0][order], lines[sound][order])
        return self._places[key]
