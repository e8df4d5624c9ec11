"""Brings the commits in the fact store up to date with the repository's head."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import msgspec

from graph.digests import sha256
from graph.store.records import Owner
from graph.store.store import Store
from graph.store.writing import Writer
from ingest.history.facts import commit_facts
from ingest.history.reader import joined, read_history
from ingest.history.records import History
from ingest.history.repository import head
from ingest.ingestor import Role

OWNER = "git:"
VERSION = 1
LIMIT = 1000


def refresh_history(root: Path, store: Store, cache: Path | None = None, limit: int = LIMIT) -> bool:
    """Read the history if the head, or which files are modules, changed; returns whether it was written.

    `cache` is a file in which the last history is kept, so that a new head costs only the new commits.
    Nothing is published.
    """
    owners = store.owners()
    modules = {
        owner.name: owner.module for owner in owners.values() if owner.role == Role.PYTHON and owner.module
    }
    listing = sha256(msgspec.json.encode(modules, order="deterministic")).hexdigest()[:32]
    known = owners.get(OWNER)
    newest = head(root) or ""
    owner = Owner(
        name=OWNER,
        digest=newest,
        role="history",
        reader=f"history:{VERSION}:{limit}",
        inputs={"modules": listing},
    )
    if known is not None and known == owner:
        return False
    history = _read(root, newest, cache, limit)
    if known is None and not history.commits and not history.skipped:
        return False
    writer = Writer(store)
    with writer.transaction():
        writer.replace(owner, commit_facts(history, modules))
    return True


def _read(root: Path, newest: str, cache: Path | None, limit: int) -> History:
    older = _cached(cache, limit) if cache else None
    if older is not None and older.head == newest and newest:
        return older
    history = read_history(root, limit, since=older.head if older else "")
    if older is not None:
        history = joined(older, history, limit)
    if cache and history.head:
        _keep(cache, limit, history)
    return history


def _cached(cache: Path, limit: int) -> History | None:
    """The history in a cache; None where it is absent, damaged or of another kind."""
    try:
        version, kept, history = msgspec.msgpack.decode(cache.read_bytes(), type=tuple[int, int, History])
    except (OSError, msgspec.MsgspecError):
        return None
    return history if (version, kept) == (VERSION, limit) else None


def _keep(cache: Path, limit: int, history: History) -> None:
    """Write the cache whole or not at all; without it the next reading is only slower."""
    temporary = cache.with_name(f"{cache.name}.{os.getpid()}")
    with contextlib.suppress(OSError):
        temporary.write_bytes(msgspec.msgpack.encode((VERSION, limit, history)))
        temporary.replace(cache)
