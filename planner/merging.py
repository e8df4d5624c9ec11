"""Puts a new plan together with the checklist as it is: what a person changed and what is green is never lost."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from planner.cases import Case, Status
from planner.functions.interface_cases import MEMBERS

_OURS = ("priority", "why", "findings", "router")


def merged(known: Sequence[Case], planned: Sequence[Case], facts: Collection[str]) -> list[Case]:
    """The cases of the checklist in their order, then what is new, by falling priority.

    A known case keeps everything but its priority and what explains it, and these too where a person set the priority:
    it is then not the sum of its terms. What a case about several members is about goes with these,
    and its test is written anew. A case whose facts are gone, or that the specs do not ask for any more, is
    `OBSOLETE`; it comes back when they do. A case without terms was written by hand and stays as it is.
    """
    fresh = {case.id: case for case in planned}
    result = [_updated(case, fresh.pop(case.id, None), facts) for case in known]
    return result + sorted(fresh.values(), key=lambda case: (-case.priority, case.id))


def _updated(case: Case, planned: Case | None, facts: Collection[str]) -> Case:
    if planned is None:
        by_hand = not case.why
        gone = any(fact not in facts for fact in case.cites) if by_hand else True
        if gone and case.status is not Status.OBSOLETE:
            return msgspec.structs.replace(case, status=Status.OBSOLETE)
        return case
    if case.status is Status.OBSOLETE:
        case = msgspec.structs.replace(case, status=Status.GENERATED if case.node else Status.PENDING)
    if MEMBERS in planned.target and case.cites != planned.cites:
        status = Status.GENERATED if case.node else case.status
        case = msgspec.structs.replace(case, target=planned.target, cites=planned.cites, status=status)
    if case.why and abs(case.priority - sum(term.points for term in case.why)) > 0.011:
        return msgspec.structs.replace(case, findings=planned.findings)
    ours = {name: getattr(planned, name) for name in _OURS}
    if case.generator != planned.generator:
        ours["router"] = case.router
    return msgspec.structs.replace(case, **ours)
