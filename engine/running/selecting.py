"""Which tests have to run: what is open, and what is green but rests on facts that have changed since."""

from __future__ import annotations

import msgspec

from graph.changes import changes
from graph.store.store import Store
from planner.cases import Case, Status

_LOCKED = frozenset({Status.PASSED, Status.HEALED})
_LEFT_OUT = frozenset({Status.OBSOLETE, Status.NEEDS_HUMAN, Status.PENDING, Status.REJECTED})


class Chosen(msgspec.Struct, frozen=True):
    """A case to run, and why: its status, or the fact that changed."""

    case: Case
    why: str


def chosen(cases: tuple[Case, ...], store: Store, *, everything: bool = False) -> list[Chosen]:
    """The cases to run, the most important first. A green test is locked until a fact that it depends on changes.

    It depends on the facts that it cites and on the code that has the same key or stands behind them.
    """
    found = []
    stale = _Stale(store)
    for case in cases:
        if not case.node or case.status in _LEFT_OUT:
            continue
        if case.status in _LOCKED and not everything:
            changed = stale.since(case)
            if changed is None:
                continue
            found.append(Chosen(case, f"{changed} changed since it passed"))
        else:
            found.append(Chosen(case, str(case.status)))
    return sorted(found, key=lambda each: (-each.case.priority, each.case.id))


class _Stale:
    """Which facts changed since a revision; asked once per revision."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._changed: dict[int, dict[str, str]] = {}

    def since(self, case: Case) -> str | None:
        """The id of a fact that a case depends on and that changed since it passed; None where all are as they were."""
        if not self._store.oldest <= case.last_passed_revision <= self._store.revision:
            return f"nobody knows what: revision {case.last_passed_revision} of the store"
        changed = self._since(case.last_passed_revision)
        for cited in (*case.cites, *_behind(case)):
            if cited in changed:
                return changed[cited]
        return None

    def _since(self, revision: int) -> dict[str, str]:
        if revision not in self._changed:
            found = changes(self._store, revision, self._store.revision)
            facts = [*found.added, *found.removed, *(fact for pair in found.changed for fact in pair)]
            told = {fact.id: fact.id for fact in facts}
            for fact in facts:
                for path in (fact.source.path, *fact.sources):
                    told.setdefault(f"file:{path}", fact.id)
                if fact.tag == "code":
                    told.setdefault("code", fact.id)
            self._changed[revision] = told
        return self._changed[revision]


def _behind(case: Case) -> tuple[str, ...]:
    """What else a test depends on: the code of its subject, and, since requests reach far, any code."""
    return (f"code:operation:{case.subject}", f"code:{case.subject.replace(' ', ':', 1)}", "code")
