"""Keeps the vectors of a store in a Chroma collection, embedded in a folder or on a server, and asks it.

The collection is a cache of the fact store's vectors: it can be thrown away at any moment and is filled again without
embedding anything. Its entries are named by the digests of the texts. Whoever opens one holds a lock, because two
processes that write into one folder lose vectors without an error.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from graph.errors import StoreError
from graph.store import passages
from graph.store.store import Store

if TYPE_CHECKING:
    from graph.retrieval.embedding import Vectors

Progress = Callable[[int, int], None]

_BATCH = 2_000
_WIDER = 10
"""Types are not known to the collection: so many times more is asked for where only some are wanted."""


class Chroma:
    """A collection that agrees with its store; made by `embedded` or `served`."""

    def __init__(self, store: Store, collection: Any, dimension: int) -> None:
        self._store = store
        self._collection = collection
        self._dimension = dimension

    def nearest(self, vector: Vectors, types: Collection[int], count: int) -> dict[int, float]:
        """See `Nearest.nearest`; approximate, as Chroma's index is."""
        total = self._collection.count()
        if not total:
            return {}
        wanted = min(total, count * _WIDER if types else count)
        answer = self._collection.query(
            query_embeddings=[vector.tolist()], n_results=wanted, include=["distances"]
        )
        cosines = {
            bytes.fromhex(name): 1.0 - distance
            for name, distance in zip(answer["ids"][0], answer["distances"][0], strict=True)
        }
        rows = passages.rows_with_digests(self._store.dialect, self._store.revision, cosines, types)
        best = sorted(((cosines[digest], -row) for row, digest in rows), reverse=True)[:count]
        return {-row: cosine for cosine, row in best}

    def cosines(self, vector: Vectors, rows: Collection[int]) -> dict[int, float]:
        """See `Nearest.cosines`; taken from the store."""
        import numpy

        blobs = passages.vectors_of(self._store.dialect, rows)
        return {
            row: float(numpy.frombuffer(blob, dtype=numpy.float16).astype(numpy.float32) @ vector)
            for row, blob in blobs.items()
            if len(blob) == 2 * self._dimension
        }

    def agree(self, tell: Callable[[str], None], progress: Progress | None = None) -> None:
        """Bring the collection in line with the store; raises whatever Chroma raises for a damaged one."""
        wanted = passages.digests(self._store.dialect)
        state = state_of(wanted)
        known = (self._collection.metadata or {}).get("state")
        count = self._collection.count()
        if known == state and count == len(wanted):
            self._probe(wanted)
            return
        if known == state:
            tell("crossfact: the facts and the vector index disagreed; it is mended from the stored vectors.")
        self._collection.modify(metadata={"state": "being written"})
        there = {bytes.fromhex(name) for name in self._collection.get(include=[])["ids"]}
        for batch in _batches(sorted(there - wanted)):
            self._collection.delete(ids=[digest.hex() for digest in batch])
        missing = sorted(wanted - there)
        self._add(missing, progress)
        self._collection.modify(metadata={"state": state})
        self._probe(wanted)

    def _add(self, missing: Sequence[bytes], progress: Progress | None) -> None:
        import numpy

        done = 0
        for batch in _batches(missing):
            blobs = passages.vectors_with_digests(self._store.dialect, batch)
            matrix = numpy.frombuffer(b"".join(blobs.values()), dtype=numpy.float16)
            vectors = matrix.reshape(len(blobs), self._dimension).astype(numpy.float32)
            self._collection.add(ids=[digest.hex() for digest in blobs], embeddings=vectors)
            done += len(batch)
            if progress:
                progress(done, len(missing))

    def _probe(self, wanted: Collection[bytes]) -> None:
        """Ask for one vector that is there: an index that cannot be read fails here and not in an answer."""
        import numpy

        for digest, blob in passages.vectors_with_digests(self._store.dialect, sorted(wanted)[:1]).items():
            vector = numpy.frombuffer(blob, dtype=numpy.float16).astype(numpy.float32)
            answer = self._collection.query(
                query_embeddings=[vector.tolist()], n_results=1, include=["distances"]
            )
            if not answer["ids"][0] or (
                answer["ids"][0][0] != digest.hex() and answer["distances"][0][0] > 0.01
            ):
                raise ValueError("the vector index does not find what it holds")


def embedded(
    store: Store, folder: Path, dimension: int, tell: Callable[[str], None], progress: Progress | None = None
) -> Chroma:
    """The collection in a folder, brought in line with the store; made anew, and told, where it is damaged."""
    for again in (False, True):
        try:
            found = Chroma(store, _collection(_persistent(folder), store), dimension)
            found.agree(tell, progress)
            return found
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a damaged folder can make Chroma's Rust core panic
            if again:
                raise StoreError(
                    f"{folder}: the vector index cannot be made: {error}", "Remove the folder."
                ) from error
            tell("crossfact: the vector index was damaged; it is made anew from the stored vectors.")
            _throw_away(folder)
    raise AssertionError("not reached")


def served(
    store: Store, url: str, dimension: int, tell: Callable[[str], None], progress: Progress | None = None
) -> Chroma:
    """The collection on a Chroma server, brought in line with the store. Raises StoreError where it cannot be."""
    import chromadb
    from chromadb.config import Settings

    parts = urlsplit(url)
    try:
        client = chromadb.HttpClient(
            host=parts.hostname or "localhost",
            port=parts.port or (443 if parts.scheme == "https" else 80),
            ssl=parts.scheme == "https",
            settings=Settings(anonymized_telemetry=False),
        )
        found = Chroma(store, _collection(client, store), dimension)
        found.agree(tell, progress)
    except Exception as error:
        raise StoreError(
            f"{url}: the Chroma server cannot be used: {error}", "Start it, or set `vectors`."
        ) from error
    return found


def _persistent(folder: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    return chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))


def _collection(client: Any, store: Store) -> Any:
    """The collection of this very store. Without `embedding_function=None` Chroma would download a model."""
    return client.get_or_create_collection(
        collection_name(store.identity), embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
    )


def _throw_away(folder: Path) -> None:
    """Remove the folder, and what Chroma remembers of it in this process."""
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient.clear_system_cache()
    shutil.rmtree(folder, ignore_errors=True)


def collection_name(identity: int) -> str:
    """What the collection of a store is called."""
    return f"crossfact-{identity}"


def state_of(digests: Collection[bytes]) -> str:
    """A digest of the texts whose vectors a collection has."""
    return hashlib.blake2b(b"".join(sorted(digests)), digest_size=16).hexdigest()


def _batches(digests: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    return (digests[start : start + _BATCH] for start in range(0, len(digests), _BATCH))
