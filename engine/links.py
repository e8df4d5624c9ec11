"""The links of a project's stories and criteria with its code and tests, with what was decided by hand."""

from __future__ import annotations

import os
from contextlib import suppress

import msgspec

from crossval.link.traces.records import FILE, Decisions, Link
from engine.comparing import program
from engine.project import Project
from graph.digests import sha256
from graph.errors import StoreError
from graph.packing import unpacking

_NAME = "links"
_encode = msgspec.msgpack.Encoder().encode
_decode = unpacking(dict[str, tuple[Link, ...]])


def project_links(project: Project) -> dict[str, tuple[Link, ...]]:
    """The links of each story and criterion (by fact id) that has some, the surest first.

    They are concluded once for a revision and its decisions, and kept in the store.
    """
    decisions, store = decisions_of(project), project.store
    key = _key(project, decisions)
    kept = store.kept(_NAME, key) if key else None
    if kept is not None:
        return _decode(kept)
    from crossval.link.traces.linking import links

    found = links(store, decisions)
    if key:
        # A memory is a convenience: where it cannot be written, the next run links again.
        with suppress(StoreError):
            store.keep({_NAME: (key, _encode(found))})
    return found


def decisions_of(project: Project) -> Decisions:
    """What the project's links file decides. Raises ConfigurationError where it has mistakes."""
    file = project.root / FILE
    if not os.path.lexists(file):
        return Decisions()
    from crossval.link.traces.decisions import load

    return load(file)


def _key(project: Project, decisions: Decisions) -> str:
    """A digest of all that links depend on: the program, the facts, the decisions; empty where it cannot be told."""
    if not program():
        return ""
    store = project.store
    seen = (program(), store.writes, store.revision, sorted(decisions.accepted), sorted(decisions.rejected))
    return sha256(_encode(seen)).hexdigest()
