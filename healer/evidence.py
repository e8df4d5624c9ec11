"""The rule of evidence: who is wrong, the code, the test, or nobody that can be known, and by which facts."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from healer.movements import Movement


class Ruling(StrEnum):
    """What is decided about a cluster of failures."""

    CODE_WRONG = "CODE_WRONG"
    TEST_STALE = "TEST_STALE"
    TEST_WRONG = "TEST_WRONG"
    FLAKY = "FLAKY"
    ENVIRONMENT = "ENVIRONMENT"
    UNDECIDED = "UNDECIDED"


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """One decision with its evidence: ids of facts, and the movements that explain the failure.

    `confidence` lies between 0 and 1 and is computed from the evidence. `reason` is one sentence for people.
    """

    ruling: Ruling
    reason: str
    evidence: tuple[str, ...] = ()
    explained_by: tuple[Movement, ...] = ()
    confidence: float = 0.0
