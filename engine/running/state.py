"""From what became of a test to how its case stands."""

from __future__ import annotations

import msgspec

from planner.cases import Case, Status
from planner.validator import Outcome, Verdict

_RED_FOR_THE_RIGHT_REASON = frozenset({Verdict.FAILED, Verdict.MISSING})
_ENVIRONMENT = frozenset({Verdict.TIMEOUT, Verdict.CONTAINED, Verdict.SKIPPED})


def after(case: Case, outcomes: list[Outcome], revision: int, expected_red: bool) -> Case:
    """The case as it stands after its test ran: the worst of its outcomes counts.

    A test that is red for the right reason stands as `RED_EXPECTED` while a finding predicts that the code does not
    keep what it cites (`expected_red`), and as `FAILED` otherwise; one that never was green and has no finding is red
    as test-driven development wants it, too: the code is still to be written.
    """
    red = [each for each in outcomes if each.verdict is not Verdict.PASSED]
    if not red:
        return msgspec.structs.replace(
            case, status=Status.PASSED, last_passed_revision=revision, last_error="", error_category=""
        )
    worst = red[0]
    words = f"{worst.exception}: {worst.message}" if worst.exception else worst.message
    told = msgspec.structs.replace(case, last_error=_short(words or str(worst.verdict)))
    if worst.verdict in _RED_FOR_THE_RIGHT_REASON:
        waits = expected_red or (worst.verdict is Verdict.MISSING and not case.last_passed_revision)
        return msgspec.structs.replace(told, status=Status.RED_EXPECTED if waits else Status.FAILED)
    if worst.verdict in _ENVIRONMENT:
        return msgspec.structs.replace(told, status=Status.INCONCLUSIVE)
    return msgspec.structs.replace(told, status=Status.FAILED)


def _short(words: str) -> str:
    line = next((each.strip() for each in words.splitlines() if each.strip()), "")
    return line if len(line) <= 300 else f"{line[:300]}…"
