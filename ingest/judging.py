"""Runs the judges, whose verdicts on a file take long, beside everything else, and keeps them by content."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from graph.digests import sha256
from graph.facts import Extract, Skipped
from graph.faults import Attempt, is_fault
from graph.packing import unpacking
from graph.store.records import Owner
from graph.store.store import Store
from graph.store.writing import Writer
from ingest.ingestor import Document, Role
from ingest.reading import time_limit
from ingest.refresh import Surroundings
from ingest.text import read

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

_ROLE = "verdict"
_SECONDS = 60

_encode = msgspec.msgpack.Encoder().encode
_decode = unpacking(Extract)


class Judge(Protocol):
    """Says what is wrong with one document, apart from reading it; only defects and skips are kept."""

    @property
    def name(self) -> str:
        """What the judge is called."""
        ...

    @property
    def version(self) -> int:
        """Raised with every change of its verdicts."""
        ...

    @property
    def roles(self) -> frozenset[Role]:
        """The roles of the files that it judges."""
        ...

    def judge(self, document: Document) -> Extract:
        """The verdict on one document. Never raises for what is wrong in it."""
        ...


class Judging:
    """Verdicts under way: begun on creation, kept by `finish`.

    A verdict stands as long as the file, the files that it was read with, and the judge's version are the same.
    """

    def __init__(
        self, root: Path, store: Store, judges: tuple[Judge, ...], surroundings: Surroundings
    ) -> None:
        self._root, self._store, self._limit = str(root), store, surroundings.limit
        owners = store.owners()
        self._standing = {name for name, owner in owners.items() if owner.role == _ROLE}
        self._wanted: set[str] = set()
        self._stack = ExitStack()
        self._pool: Executor | None = None
        self._open: list[tuple[Owner, Judge, str, Future[bytes] | None]] = []
        for judge in judges:
            for owner in owners.values():
                if owner.role not in judge.roles:
                    continue
                verdict = _verdict_owner(owner, judge)
                self._wanted.add(verdict.name)
                if owners.get(verdict.name) != verdict:
                    self._open.append(
                        (verdict, judge, owner.name, self._submitted(judge, owner.name, surroundings))
                    )

    def _submitted(self, judge: Judge, path: str, surroundings: Surroundings) -> Future[bytes] | None:
        if surroundings.executor is None:
            return None
        self._pool = self._pool or self._stack.enter_context(surroundings.executor())
        return self._pool.submit(pass_verdict, self._root, path, judge, self._limit)

    def finish(self) -> None:
        """Wait for all verdicts and write them; nothing is published."""
        gone = sorted(self._standing - self._wanted)
        with self._stack:
            verdicts = list(self._verdicts())
        if not gone and not verdicts:
            return
        writer = Writer(self._store)
        with writer.transaction():
            writer.retract(gone)
            for owner, extract in verdicts:
                writer.replace(owner, Extract(defects=extract.defects, skipped=extract.skipped))

    def _verdicts(self) -> Iterator[tuple[Owner, Extract]]:
        if not self._open:
            return
        from concurrent.futures import BrokenExecutor

        for owner, judge, path, future in self._open:
            try:
                packed = future.result() if future else pass_verdict(self._root, path, judge, self._limit)
            except BrokenExecutor:
                yield owner, Extract(skipped=[Skipped(path, 0, f"the process of {judge.name} died")])
                continue
            verdict = _decode(packed)
            if any(is_fault(skipped.reason) for skipped in verdict.skipped):
                owner = msgspec.structs.replace(
                    owner, reader=f"{owner.reader} failed"
                )  # asked again each time
            yield owner, verdict


def _verdict_owner(owner: Owner, judge: Judge) -> Owner:
    seen = [owner.digest, *(f"{path} {digest}" for path, digest in sorted(owner.inputs.items()))]
    digest = sha256("\n".join(seen).encode("utf-8", "surrogatepass")).hexdigest()
    return Owner(
        name=f"{judge.name}:{owner.name}", role=_ROLE, digest=digest, reader=f"{judge.name}:{judge.version}"
    )


def pass_verdict(root: str, path: str, judge: Judge, limit: int) -> bytes:
    """The packed verdict on one file; runs in a worker process."""
    content = read(root, path, limit)
    if isinstance(content, Skipped):
        return _encode(Extract())
    role = next(iter(judge.roles))
    document = Document(path=path, role=role, text=content.text, root=root)
    with Attempt() as attempt:
        return _encode(_judged(judge, document))
    return _encode(Extract(skipped=[Skipped(path, 0, attempt.failure)]))


def _judged(judge: Judge, document: Document) -> Extract:
    try:
        with time_limit(_SECONDS):
            return judge.judge(document)
    except (TimeoutError, RecursionError, MemoryError) as error:
        reason = f"{judge.name} was not settled ({type(error).__name__})"
        return Extract(skipped=[Skipped(document.path, 0, reason)])
