"""Which tests have to run: what is open, and what is green but rests on something that has changed since."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from engine.running.dependencies import Dependencies
from planner.cases import Case, Status

_LOCKED = frozenset({Status.PASSED, Status.HEALED})
_LEFT_OUT = frozenset({Status.OBSOLETE, Status.NEEDS_HUMAN, Status.REJECTED})


class Chosen(msgspec.Struct, frozen=True):
    """A case to run, and why: its status, or what changed."""

    case: Case
    why: str


def chosen(
    cases: Sequence[Case],
    dependencies: Dependencies,
    *,
    everything: bool = False,
    ended: Collection[str] = (),
) -> list[Chosen]:
    """The cases to run, the most important first: those that have a test, also where a person made them pending again.

    A green test is locked until something that it depends on changes.

    `ended` are the ids of cases whose tests ended in a run that was cut short: they are locked too, whatever came out.
    """
    found = []
    for case in cases:
        if not case.node or (case.status in _LEFT_OUT and not case.is_under_review):
            continue
        changed = dependencies.changed(case) if case.status in _LOCKED or case.id in ended else ""
        if not changed and not everything and (case.status in _LOCKED or case.id in ended):
            continue
        found.append(Chosen(case, changed or str(case.status)))
    return sorted(found, key=lambda each: (-each.case.priority, each.case.id))
