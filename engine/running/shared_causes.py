"""One cause that makes every test of an application red which needs a request to be taken: its paths, or its caller."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from planner.cases import Case, Status, Technique
from planner.validator import Outcome

_TAKEN = frozenset(
    {
        Technique.SUCCESS,
        Technique.BOUND_KEPT,
        Technique.DEFAULT,
        Technique.READ_BACK,
        Technique.GONE,
        Technique.REPEATABLE,
        Technique.LIMITED,
        Technique.PAGED,
        Technique.NARROWED,
        Technique.SORTED,
        Technique.WHOLE,
        Technique.EFFECT,
        Technique.SAYS,
    }
)
"""The techniques whose tests are green only where the application takes a request of the operation."""
_FEW = 3
_NOT_FOUND, _NOT_LET_IN = frozenset({404}), frozenset({401, 403})
_ELSEWHERE = (
    "each operation that was asked is answered with 404: the application has these paths elsewhere (behind a prefix, "
    "or as `servers` of the contract say), or it is another one (`--app`)"
)
_NOBODY = (
    "each operation that asks for credentials answers {}: it does not take those of the fixture `auth`; fill it in in "
    "the conftest"
)


def with_shared_causes(
    cases: Sequence[Case], outcomes: Mapping[str, Outcome], secured: Collection[str]
) -> Iterator[Case]:
    """The failed cases of a run for which one cause outside of each operation is likelier than a fault in all of them.

    They show nothing, and say what to do. `outcomes` are by the ids of cases, `secured` the operations that ask for
    credentials. What a finding predicts to be red is no failed case; and where a test was green once, its code got
    worse.
    """
    yield from _of(cases, outcomes, _NOT_FOUND, _ELSEWHERE, None)
    yield from _of(cases, outcomes, _NOT_LET_IN, _NOBODY, secured)


def _of(
    cases: Sequence[Case],
    outcomes: Mapping[str, Outcome],
    answers: Collection[int],
    words: str,
    within: Collection[str] | None,
) -> Iterator[Case]:
    asked = [each for each in cases if within is None or each.target.get("operation") in within]
    red = [
        each
        for each in asked
        if each.status is Status.FAILED and each.id in outcomes and outcomes[each.id].answered in answers
    ]
    operations = {each.target.get("operation") for each in red if each.technique in _TAKEN}
    is_taken = any(each.technique in _TAKEN and each.status is Status.PASSED for each in asked)
    if len(operations) < _FEW or is_taken or any(each.last_passed_revision for each in red):
        return
    for case in red:
        said = words.format(outcomes[case.id].answered)
        yield msgspec.structs.replace(case, status=Status.INCONCLUSIVE, last_error=said)
