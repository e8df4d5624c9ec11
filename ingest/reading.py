"""What a worker process does with a batch of files: read each safely, ask the reader of its role, pack the answer."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import msgspec

from graph.facts import Extract, Skipped, Unknown
from graph.faults import Attempt
from graph.packing import unpacking
from graph.patterns import pattern
from ingest.discovery.roles import classify, left_out
from ingest.discovery.scope import Found
from ingest.ingestor import Document, Ingestor, Role, suffixes_of
from ingest.text import DENIED, read

_SECONDS = 10

_CONTRACT = pattern(r"(?:^|/)(?:openapi|swagger)\.(?:ya?ml|json)$", re.IGNORECASE)

UNREAD = "none:2"
"""The reader's mark of files that no reader claims; raised when `classify` changes."""


class Answer(msgspec.Struct, frozen=True):
    """What came of one file: its content's digest, its role, who read it, and what was taken from it.

    `extract` is None where the content is what it was before.
    """

    path: str
    digest: str
    role: str
    reader: str
    extract: Extract | None


class Task(msgspec.Struct, frozen=True):
    """One file to read; where digest, role and reader are still as `known`, it is not parsed again."""

    found: Found
    known: tuple[str, str, str] | None


_encode = msgspec.msgpack.Encoder().encode
decode: Callable[[bytes], list[Answer]] = unpacking(list[Answer])


def mark(found: Found, ingestor: Ingestor | None, ingestors: Iterable[Ingestor]) -> str:
    """How an owner names its reader: a new version, or another reason to read the file, makes it be read again.

    A file that no reader took is looked at again when one of those that read such files has a new version.
    """
    readers = (
        [ingestor] if ingestor else (each for each in ingestors if not each.roles.isdisjoint(found.roles))
    )
    reader = " ".join([*([] if ingestor else [UNREAD]), *(f"{each.name}:{each.version}" for each in readers)])
    reasons = [*found.roles, *(name for name in ("named", "fixture", "data") if getattr(found, name))]
    return f"{reader} {' '.join(reasons)}"


def reader_of(path: str, role: Role, ingestors: tuple[Ingestor, ...]) -> Ingestor | None:
    """The first reader that claims files of this role, or files of no known role by their suffix."""
    if role is Role.OTHER:
        return next((each for each in ingestors if path.endswith(tuple(suffixes_of(each)))), None)
    return next((each for each in ingestors if role in each.roles), None)


def read_batch(root: str, tasks: list[Task], ingestors: tuple[Ingestor, ...], limit: int) -> bytes:
    """What `read_files` gives, packed for another process."""
    return _encode(list(read_files(Path(root), tasks, ingestors, limit)))


def read_files(
    root: Path, tasks: Iterable[Task], ingestors: tuple[Ingestor, ...], limit: int
) -> Iterator[Answer]:
    """The answers for these files, in their order; files of more than `limit` bytes are skipped."""
    return (_answer(root, task, ingestors, limit) for task in tasks)


def _answer(root: Path, task: Task, ingestors: tuple[Ingestor, ...], limit: int) -> Answer:
    path = task.found.path
    content = read(root, path, limit)
    if isinstance(content, Skipped):
        extract = unread(task.found, content.reason, content.line)
        reader = mark(task.found, None, ingestors)
        # Rights change without the file: what may not be read today is tried again each time.
        denied = f"{reader} denied" if content.reason.startswith(DENIED) else reader
        return Answer(path, "", Role.IGNORED, denied, extract)
    digest, text = content.digest.hex(), content.text
    role = classify(task.found, text)
    ingestor = reader_of(path, role, ingestors)
    reader = mark(task.found, ingestor, ingestors)
    if ingestor is None:
        left = left_out(task.found, text)
        extract = Extract(skipped=[left] if left else [])
        if left is None and not text.strip() and _is_called_contract(task.found):
            extract = unread(task.found, "it is empty")
        return Answer(path, digest, role, reader, extract)
    if task.known == (digest, role, reader):
        return Answer(path, digest, role, reader, None)
    document = Document(path=path, role=role, text=text, module=task.found.module, root=str(root))
    with Attempt() as attempt:
        return Answer(path, digest, role, reader, _read(ingestor, document, task.found))
    # A fault is mended without a new version of the reader: the file is tried again each time.
    return Answer(path, digest, role, f"{reader} failed", unread(task.found, attempt.failure))


def _read(ingestor: Ingestor, document: Document, found: Found) -> Extract:
    try:
        with time_limit(_SECONDS):
            return ingestor.read(document)
    except TimeoutError:
        return unread(found, f"reading took more than {_SECONDS} seconds of CPU time")
    except (RecursionError, MemoryError) as error:
        return unread(found, f"too deeply nested or too large ({type(error).__name__})")


def unread(found: Found, reason: str, line: int = 0) -> Extract:
    """What is said of a file that could not be read: a contract that is one by its name is a defect, and of Python
    source it is unknown which routes it has. `line` is 0 where the whole file is meant."""
    if _is_called_contract(found):
        from ingest.openapi.files import unreadable

        said = f"it {reason}" if reason.startswith("is ") else reason.removeprefix(DENIED)
        remedy = "Check its rights." if reason.startswith(DENIED) else "Correct the file, or take it away."
        return Extract(defects=[unreadable(found.path, line or 1, said, remedy)])
    routes = Role.PYTHON in found.roles and not found.fixture
    unknown = [Unknown(f"file {found.path}", "routes", found.path, line or 1, reason)] if routes else []
    return Extract(skipped=[Skipped(found.path, line, reason)], unknown=unknown)


def _is_called_contract(found: Found) -> bool:
    """Whether a file is a contract by its name, or since the user says so."""
    if Role.CONTRACT not in found.roles or found.fixture or found.data:
        return False
    return found.roles == (Role.CONTRACT,) or _CONTRACT.search(found.path) is not None


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise TimeoutError when a file takes too long; without a limit outside a process's main thread.

    CPU time is what counts: on a machine that others keep busy the same files are read as on a quiet one.
    """

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError

    try:
        before = signal.signal(signal.SIGPROF, stop)
    except (ValueError, AttributeError):  # not the main thread, or no such signal on this system
        yield
        return
    # Again and again: a library may swallow the first one.
    signal.setitimer(signal.ITIMER_PROF, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
