"""From what became of a test to how its case stands."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from planner.cases import Case, Status
from planner.validator import Outcome, Verdict

_RED_FOR_THE_RIGHT_REASON = frozenset({Verdict.FAILED, Verdict.MISSING})
_ENVIRONMENT = frozenset({Verdict.TIMEOUT, Verdict.CONTAINED, Verdict.SKIPPED, Verdict.ENVIRONMENT})
_WORST = (
    Verdict.FAILED,
    Verdict.MISSING,
    Verdict.BROKEN,
    Verdict.ABSENT,
    Verdict.CONTAINED,
    Verdict.TIMEOUT,
    Verdict.ENVIRONMENT,
    Verdict.SKIPPED,
)
_WAS_GREEN = frozenset(
    {Status.PASSED, Status.HEALED, Status.FAILED, Status.FLAKY, Status.CODE_WRONG, Status.NEEDS_HUMAN}
)
_REFUSED = "what the test made up is refused"
"""How a test says that the code takes no value that nobody told (`conftests/made_up.py`)."""
_SKIPPED = "it skipped itself, or is marked as expected to fail"


def after(case: Case, outcomes: Sequence[Outcome], revision: int, *, expected_red: bool) -> Case:
    """The case as it stands after its test ran: the worst of its outcomes counts.

    A test that is red for the right reason stands as `RED_EXPECTED` while a finding predicts that the code does not
    keep what it cites (`expected_red`), unless it was green before: then the code got worse, and it is `FAILED`. One
    that never was green and lacks its implementation is red as test-driven development wants it, finding or not. What
    the code refuses now though it took it before counts as `FAILED`, whoever made it up.
    """
    red = [each for each in outcomes if each.verdict is not Verdict.PASSED]
    if not red:
        return msgspec.structs.replace(
            case,
            status=Status.PASSED,
            last_passed_revision=revision,
            last_error="",
            error_category="",
            analysis="",
        )
    worst = min(red, key=lambda each: _WORST.index(each.verdict))
    service = f"; {worst.service}" if worst.service else ""
    told = msgspec.structs.replace(case, last_error=_short(_short(_words(worst)) + service))
    if worst.verdict in _RED_FOR_THE_RIGHT_REASON:
        got_worse = case.status in _WAS_GREEN and case.last_passed_revision > 0
        missing = worst.verdict is Verdict.MISSING and not case.last_passed_revision
        waits = missing or (expected_red and not got_worse)
        return msgspec.structs.replace(told, status=Status.RED_EXPECTED if waits else Status.FAILED)
    if _REFUSED in worst.message and case.status in _WAS_GREEN and case.last_passed_revision > 0:
        return msgspec.structs.replace(told, status=Status.FAILED)  # It took the same before.
    if worst.verdict in _ENVIRONMENT:
        return msgspec.structs.replace(told, status=Status.INCONCLUSIVE)
    return msgspec.structs.replace(told, status=Status.FAILED)


def with_repeats(case: Case, greens: int, runs: int) -> Case:
    """The case after its test ran several times on the same code: green each time, red each time, or `FLAKY`."""
    if greens == runs:
        return msgspec.structs.replace(case, status=Status.PASSED, last_error="")
    if greens == 0:
        return case
    words = f"red in {runs - greens} of {runs} runs of the same code"
    error = f"{words}: {case.last_error}" if case.last_error else words
    return msgspec.structs.replace(case, status=Status.FLAKY, last_error=_short(error))


def _words(outcome: Outcome) -> str:
    if outcome.exception:
        return f"{outcome.exception}: {outcome.message}"
    if outcome.verdict is Verdict.SKIPPED:
        return f"skipped: {outcome.message.removeprefix('Skipped: ')}" if outcome.message else _SKIPPED
    return outcome.message or str(outcome.verdict)


def _short(words: str) -> str:
    line = next((each.strip() for each in words.splitlines() if each.strip()), "")
    return line if len(line) <= 300 else f"{line[:300]}…"
