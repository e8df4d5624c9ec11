"""Keeps the keyword index and the vectors of a store in step with its published facts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from graph.errors import DamagedStore
from graph.retrieval.embedding import Embedder
from graph.retrieval.passages import VERSION, is_worth_a_vector, passage
from graph.retrieval.words import terms
from graph.store import passages
from graph.store.store import Store

Progress = Callable[[int, int], None]

_WORDS_AT_ONCE = 2_000
_FIRST_TEXTS, _TEXTS_AT_ONCE = 256, 2_048
"""Texts per durable step: few at first, so that something shows soon, and a kill loses seconds at most."""
_TEXTS_OF_A_PART = 64
"""The same where only a part is embedded, so that it can end soon."""
_SPARE = 2_000
"""So many vectors without a fact are kept at least: another branch may have their texts again."""


class Index:
    """The search tables of one store. Whoever writes holds a lock that keeps other writers of them away."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._dialect = store.dialect

    def is_current(self) -> bool:
        """Whether the keyword index shows the published revision and agrees with itself."""
        try:
            return (
                passages.is_there(self._dialect)
                and passages.mark(self._dialect, "current") == self._current()
                and self._counts_agree()
            )
        except DamagedStore:
            return False

    def _current(self) -> str:
        return f"{self._store.identity} {self._store.revision} {VERSION}"

    def _counts_agree(self) -> bool:
        ((known, indexed),) = self._dialect.execute(
            "SELECT (SELECT count(*) FROM passage), (SELECT count(*) FROM words_docsize)"
        )
        return f"{known} {indexed}" == passages.mark(self._dialect, "counts") and known == indexed

    def refresh(self, tell: Callable[[str], None], progress: Progress | None = None) -> int:
        """Index the words of facts that are new, forget those that are gone; returns how many facts were indexed.

        Tables that are damaged or disagree are made anew, which is told; vectors are kept where they are sound.
        """
        try:
            if self._mend(tell):
                return 0
        except DamagedStore:
            tell("crossfact: the keyword index was damaged; it is made anew from the facts.")
            self._begin_anew()
        removed = passages.rows_to_remove(self._dialect, self._store.revision)
        for start in range(0, len(removed), _WORDS_AT_ONCE):
            with self._step():
                self._remove(removed[start : start + _WORDS_AT_ONCE])
        added = passages.rows_to_add(self._dialect, self._store.revision)
        for start in range(0, len(added), _WORDS_AT_ONCE):
            with self._step():
                self._add(added[start : start + _WORDS_AT_ONCE])
            if progress:
                progress(min(start + _WORDS_AT_ONCE, len(added)), len(added))
        with self._step():
            passages.set_mark(self._dialect, "current", self._current())
        return len(added)

    def _mend(self, tell: Callable[[str], None]) -> bool:
        """Make sure that the tables can be added to; True where nothing is left to do."""
        if not passages.is_there(self._dialect):
            with self._step():
                passages.create(self._dialect)
                self._count()
            return False
        identity, _, version = (
            passages.mark(self._dialect, "current") or f"{self._store.identity} 0 {VERSION}"
        ).split()
        if (int(identity), int(version)) != (self._store.identity, VERSION):
            self._begin_anew()
        elif not self._counts_agree():
            tell("crossfact: the facts and the keyword index disagreed; it is made anew from the facts.")
            self._begin_anew()
        return passages.mark(self._dialect, "current") == self._current()

    def _begin_anew(self) -> None:
        """Drop everything but the vectors, which belong to texts and not to facts."""
        with self._step():
            passages.drop(self._dialect, ("words", "passage"))
            passages.create(self._dialect)
            passages.set_mark(self._dialect, "current", f"{self._store.identity} 0 {VERSION}")
            self._count()

    @contextmanager
    def _step(self) -> Iterator[None]:
        self._dialect.begin()
        try:
            yield
            self._dialect.commit()
        except BaseException:
            self._dialect.rollback()
            raise

    def _remove(self, rows: list[int]) -> None:
        self._dialect.insert_many("DELETE FROM words WHERE rowid = ?", ((row,) for row in rows))
        self._dialect.insert_many("DELETE FROM passage WHERE fact = ?", ((row,) for row in rows))
        self._count()

    def _add(self, rows: list[int]) -> None:
        known, words = [], []
        for row, born, fact in passages.facts_in(self._dialect, rows):
            text = passage(fact)
            known.append((row, born, text.digest if is_worth_a_vector(fact) else None))
            words.append((row, " ".join(terms(text.name)), " ".join(terms(text.text))))
        self._dialect.insert_many("INSERT INTO words (rowid, name, text) VALUES (?, ?, ?)", words)
        self._dialect.insert_many(
            """INSERT INTO passage (fact, born, digest, vector)
               VALUES (?1, ?2, ?3, (SELECT id FROM vector WHERE vector.digest = ?3))""",
            known,
        )
        self._count()

    def _count(self) -> None:
        ((known,),) = self._dialect.execute("SELECT count(*) FROM passage")
        passages.set_mark(self._dialect, "counts", f"{known} {known}")

    def waiting(self) -> int:
        """How many facts still wait for a vector."""
        ((count,),) = self._dialect.execute(
            "SELECT count(*) FROM passage WHERE vector IS NULL AND digest IS NOT NULL"
        )
        return int(count)

    def vectors(self) -> int:
        """How many vectors are stored."""
        ((count,),) = self._dialect.execute("SELECT count(*) FROM vector")
        return int(count)

    def model(self) -> str:
        """The name of the embedder that made the vectors; empty before there are any."""
        return passages.mark(self._dialect, "model")

    def use(self, embedder_name: str) -> None:
        """Forget the vectors of another model."""
        if self.model() == embedder_name:
            return
        with self._step():
            self._dialect.execute("DELETE FROM vector")
            self._dialect.execute("UPDATE passage SET vector = NULL WHERE vector IS NOT NULL")
            passages.set_mark(self._dialect, "model", embedder_name)

    def forget_damaged(self, dimension: int) -> None:
        """Make facts wait anew whose vectors are gone or do not have `dimension` numbers."""
        with self._step():
            self._dialect.execute("DELETE FROM vector WHERE length(numbers) <> ?", (2 * dimension,))
            self._dialect.execute(
                "UPDATE passage SET vector = NULL WHERE vector NOT IN (SELECT id FROM vector)"
            )

    def embed(
        self,
        embedder: Embedder,
        progress: Progress | None = None,
        *,
        first: Collection[int] = (),
        most: int | None = None,
        enough: Callable[[], bool] = lambda: False,
    ) -> int:
        """Give waiting facts their vectors, batch by batch; returns how many texts were embedded.

        Those in the rows `first` go before all others, then specs, code, tests, history; no more than `most` facts,
        and none once it is `enough`, which is asked after each batch.
        Each batch is durable by itself: a run that is killed goes on where it stopped.
        """
        self.use(embedder.name)
        waiting = self.waiting()
        left = total = waiting if most is None else min(most, waiting)
        done = 0
        size = _FIRST_TEXTS if most is None else _TEXTS_OF_A_PART
        while left > 0 and (batch := self._next_batch(min(size, left), first)):
            size = min(2 * size, _TEXTS_AT_ONCE) if most is None else size
            self._store_vectors(embedder, batch)
            done += len(batch)
            left = total - (waiting - self.waiting())
            if progress:
                progress(min(total, total - left), total)
            if enough():
                break
        self._forget_spare_vectors()
        return done

    def _next_batch(self, size: int, first: Collection[int]) -> dict[bytes, str]:
        """Texts that wait for their vectors, by digest."""
        digests = dict(passages.rows_waiting(self._dialect, first, size))
        return {
            digests[row]: passage(fact).meaning
            for row, _, fact in passages.facts_in(self._dialect, list(digests))
        }

    def _store_vectors(self, embedder: Embedder, batch: dict[bytes, str]) -> None:
        import numpy

        vectors = embedder.embed(list(batch.values())).astype(numpy.float16)
        with self._step():
            self._dialect.insert_many(
                "INSERT OR REPLACE INTO vector (digest, numbers) VALUES (?, ?)",
                ((digest, row.tobytes()) for digest, row in zip(batch, vectors, strict=True)),
            )
            self._dialect.insert_many(
                """UPDATE passage SET vector = (SELECT id FROM vector WHERE vector.digest = ?1)
                   WHERE digest = ?1 AND vector IS NULL""",
                ((digest,) for digest in batch),
            )

    def _forget_spare_vectors(self) -> None:
        unused = "id NOT IN (SELECT vector FROM passage WHERE vector IS NOT NULL)"
        ((used,),) = self._dialect.execute("SELECT count(*) FROM passage WHERE vector IS NOT NULL")
        ((spare,),) = self._dialect.execute(f"SELECT count(*) FROM vector WHERE {unused}")
        if spare > max(_SPARE, used):
            with self._step():
                self._dialect.execute(f"DELETE FROM vector WHERE {unused}")
