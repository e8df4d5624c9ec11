"""What resolvers leave behind is not looked through in a run that ends soon, nor kept for ever in another."""

from __future__ import annotations

import gc
import itertools
import weakref
from pathlib import Path

import pytest

from graph.facts import Extract
from graph.store.store import Store
from ingest import resolving
from ingest.discovery.scope import Listing, Scope
from ingest.discovery.walk import discover
from ingest.resolver import Project


class Knot:
    """Something that only a collection frees, since it holds itself."""

    def __init__(self) -> None:
        self.itself = self


class Knotting:
    """A resolver that runs each time and leaves a knot behind."""

    name = "knotting"

    def __init__(self) -> None:
        self.version = 0
        self.left: list[weakref.ref[Knot]] = []

    def resolve(self, project: Project) -> Extract:
        self.left.append(weakref.ref(Knot()))
        return Extract()


def test_what_is_left_waits_for_the_second_run_of_a_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resolving, "_rounds", itertools.count())
    collected: list[str] = []
    resolver, store = Knotting(), Store.open(None)
    listing = discover(tmp_path, Scope())
    gc.collect()
    gc.callbacks.append(lambda phase, info: collected.append(phase))
    try:
        _run(tmp_path, listing, store, resolver)
        assert not collected
        assert resolver.left[0]() is not None
        _run(tmp_path, listing, store, resolver)
    finally:
        gc.callbacks.pop()
    assert [left() for left in resolver.left] == [None, None]


def test_collection_is_on_again_afterwards(tmp_path: Path) -> None:
    _run(tmp_path, discover(tmp_path, Scope()), Store.open(None), Knotting())
    assert gc.isenabled()


def _run(root: Path, listing: Listing, store: Store, resolver: Knotting) -> None:
    resolver.version += 1
    assert resolving.refresh_resolved(root, listing, store, (resolver,)) == 1
