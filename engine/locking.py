"""Keeps a second crossfact from writing into the same store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from graph.errors import StoreError

_SECONDS = 60


@contextmanager
def locked(store: Path, tell: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock beside a store; where another run has it, say so and wait.

    Raises StoreError after a minute. A store in memory needs no lock.
    """
    if not store.exists():
        yield
        return
    place = store.with_name("lock")
    descriptor = _taken_at_once(place)
    if descriptor is not None:
        try:
            yield
        finally:
            os.close(descriptor)  # which gives the lock back
        return
    with _waited_for(store, place, tell):
        yield


def _taken_at_once(place: Path) -> int | None:
    """The file of the lock, held; None where it is not free, or where the system has no such lock.

    It is the lock that `filelock` takes, without the time that importing the library takes.
    """
    try:
        import fcntl
    except ImportError:
        return None
    try:
        descriptor = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


@contextmanager
def _waited_for(store: Path, place: Path, tell: Callable[[str], None]) -> Iterator[None]:
    from filelock import FileLock, Timeout

    lock = FileLock(place)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        tell("crossfact: another crossfact is reading this project; waiting for it.")
        try:
            lock.acquire(timeout=_SECONDS)
        except Timeout as error:
            raise StoreError(
                f"{store}: in use by another crossfact for more than {_SECONDS} seconds",
                "Wait for it to end, or name another store with --store.",
            ) from error
    try:
        yield
    finally:
        lock.release()
