"""Brings the fact store up to date with the project, reading only what changed."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from graph.digests import sha256
from graph.facts import Extract, Skipped
from graph.store.records import Owner
from graph.store.store import Store
from graph.store.writing import Writer
from ingest.discovery.scope import Found, Listing
from ingest.ingestor import Ingestor, Role
from ingest.reading import Answer, Task, decode, mark, read_batch, read_files, reader_of, unread
from ingest.text import LIMIT, read_bytes

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

_BATCH_BYTES = 400_000
_POOL_BYTES = 1_500_000
_AHEAD = 12
_FACTS_PER_TRANSACTION = 4_000

# A file changed so shortly before it was read may change once more without its stat telling.
_RACY_NANOSECONDS = 100_000_000

_FILE_ROLES = frozenset(Role)

Progress = Callable[[int, int], None]


class Surroundings(msgspec.Struct, frozen=True):
    """What a refresh needs from outside: how to start a process pool, what time it is, whom to tell of progress,
    and how many bytes a file may have."""

    executor: Callable[[], Executor] | None = None
    now: Callable[[], int] = time.time_ns
    progress: Progress = lambda done, total: None
    limit: int = LIMIT


def refresh_files(
    root: Path,
    listing: Listing,
    store: Store,
    ingestors: tuple[Ingestor, ...],
    surroundings: Surroundings,
) -> int:
    """Read what changed since the last time, retract what is gone; returns how many files were parsed.

    Nothing is published: resolvers may still have to run.
    """
    known = {name: owner for name, owner in store.owners().items() if owner.role in _FILE_ROLES}
    found = {file.path: file for file in listing.found}
    digests = Digests(root, found, known)
    tasks = [
        Task(file, _known(known.get(file.path), file, digests))
        for file in listing.found
        if not _unchanged(file, known.get(file.path), ingestors, digests)
    ]
    gone = [name for name in known if name not in found]
    if not tasks and not gone:
        return 0
    writer = Writer(store)
    _retract(writer, gone)
    return _write(writer, _answers(root, tasks, ingestors, surroundings), found, known, surroundings, digests)


class Digests:
    """The digests of files as they are now, each file hashed at most once and only if its stat does not tell."""

    def __init__(self, root: Path, found: dict[str, Found], known: dict[str, Owner]) -> None:
        self._root, self._found, self._known = root, found, known
        self._memory: dict[str, str] = {}

    def of(self, path: str) -> str:
        """The digest of a file's content; empty where there is no readable file."""
        if path not in self._memory:
            owner, file = self._known.get(path), self._found.get(path)
            same = owner is not None and file is not None and _same_stat(file, owner)
            self._memory[path] = owner.digest if owner and same else self._hash(path)
        return self._memory[path]

    def _hash(self, path: str) -> str:
        content = read_bytes(self._root, path)
        return "" if isinstance(content, Skipped) else sha256(content).hexdigest()


def _same_stat(file: Found, owner: Owner) -> bool:
    return (file.size, file.mtime_ns) == (owner.size, owner.modified)


def _unchanged(file: Found, owner: Owner | None, ingestors: tuple[Ingestor, ...], digests: Digests) -> bool:
    if owner is None or not _same_stat(file, owner) or file.module != owner.module:
        return False
    if owner.reader != mark(file, reader_of(file.path, Role(owner.role), ingestors), ingestors):
        return False
    return all(digests.of(path) == digest for path, digest in owner.inputs.items())


def _known(owner: Owner | None, file: Found, digests: Digests) -> tuple[str, str, str] | None:
    """What equal content may be recognised by; nothing where something else than the content changed."""
    if owner is None or owner.module != file.module:
        return None
    if any(digests.of(path) != digest for path, digest in owner.inputs.items()):
        return None
    return (owner.digest, owner.role, owner.reader)


def _retract(writer: Writer, gone: list[str]) -> None:
    for start in range(0, len(gone), 100):
        with writer.transaction():
            writer.retract(gone[start : start + 100])


def _answers(
    root: Path, tasks: list[Task], ingestors: tuple[Ingestor, ...], surroundings: Surroundings
) -> Iterator[Answer]:
    if surroundings.executor is None or sum(task.found.size for task in tasks) < _POOL_BYTES:
        return read_files(root, tasks, ingestors, surroundings.limit)
    return _pooled(root, list(_batches(tasks)), ingestors, surroundings)


def _pooled(
    root: Path, batches: list[list[Task]], ingestors: tuple[Ingestor, ...], surroundings: Surroundings
) -> Iterator[Answer]:
    """The answers of worker processes in order, few batches ahead of the writer; a pool that broke is replaced."""
    from concurrent.futures import BrokenExecutor

    assert surroundings.executor is not None
    waiting = deque(batches)
    suspects: list[list[Task]] = []
    while waiting:
        running: deque[tuple[list[Task], Future[bytes]]] = deque()
        with surroundings.executor() as executor:
            try:
                while waiting or running:
                    while waiting and len(running) < _AHEAD:
                        future = executor.submit(
                            read_batch, str(root), waiting[0], ingestors, surroundings.limit
                        )
                        running.append((waiting.popleft(), future))
                    answers = decode(running[0][1].result())
                    running.popleft()
                    yield from answers
            except BrokenExecutor:
                suspects.extend(batch for batch, _ in running)
    for batch in suspects:
        yield from _one_by_one(root, batch, ingestors, surroundings)


def _one_by_one(
    root: Path, batch: list[Task], ingestors: tuple[Ingestor, ...], surroundings: Surroundings
) -> Iterator[Answer]:
    """Read the files of a batch whose worker died each in a process of its own, to tell which one it was."""
    from concurrent.futures import BrokenExecutor

    assert surroundings.executor is not None
    for task in batch:
        with surroundings.executor() as executor:
            try:
                yield from decode(
                    executor.submit(read_batch, str(root), [task], ingestors, surroundings.limit).result()
                )
            except BrokenExecutor:
                reason = "the process that read this file died"
                extract = unread(task.found, reason)
                yield Answer(task.found.path, "", Role.IGNORED, mark(task.found, None, ingestors), extract)


def _batches(tasks: list[Task]) -> Iterator[list[Task]]:
    batch: list[Task] = []
    size = 0
    for task in tasks:
        batch.append(task)
        size += task.found.size
        if size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _write(
    writer: Writer,
    answers: Iterator[Answer],
    found: dict[str, Found],
    known: dict[str, Owner],
    surroundings: Surroundings,
    digests: Digests,
) -> int:
    parsed = 0
    rows: list[tuple[Owner, Extract | None]] = []
    waiting = 0
    for done, answer in enumerate(answers, start=1):
        file = found[answer.path]
        inputs = {path: digests.of(path) for path in answer.extract.reads} if answer.extract else {}
        racy = surroundings.now() - file.mtime_ns < _RACY_NANOSECONDS
        owner = Owner(
            name=answer.path,
            size=file.size,
            modified=-1 if racy else file.mtime_ns,
            digest=answer.digest,
            role=answer.role,
            module=file.module,
            reader=answer.reader,
            inputs=inputs,
        )
        rows.append((owner, answer.extract))
        waiting += len(answer.extract.facts) if answer.extract else 0
        parsed += answer.extract is not None
        if waiting >= _FACTS_PER_TRANSACTION:
            _flush(writer, rows)
            surroundings.progress(done, len(found))
            waiting = 0
    _flush(writer, rows)
    return parsed


def _flush(writer: Writer, rows: list[tuple[Owner, Extract | None]]) -> None:
    """Write whole files in one durable step."""
    with writer.transaction():
        for owner, extract in rows:
            if extract is None:
                writer.touch(owner)
            else:
                writer.replace(owner, extract)
    rows.clear()
