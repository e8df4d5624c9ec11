"""What healing came to: one treatment per cluster of failures that share a root cause."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from healer.analysis import Analysis
from healer.evidence import Judgement
from healer.payload import Payload
from planner.validator import Outcome


class Result(StrEnum):
    """What became of a cluster."""

    HEALED = "HEALED"
    PROPOSED = "PROPOSED"
    """An edit that would be tried; nothing was changed, as was asked for."""
    CODE_WRONG = "CODE_WRONG"
    FLAKY = "FLAKY"
    ENVIRONMENT = "ENVIRONMENT"
    NEEDS_HUMAN = "NEEDS_HUMAN"


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt as a healer proposed it: edits of one file each, which hold or fall together.

    `confidence` is computed from the evidence and from who proposes. `diff` is what they would change, `before` the
    digests of the files that they were made for. `outcome` says in words what came of it.
    """

    healer: str
    payloads: tuple[Payload, ...]
    confidence: float = 0.0
    diff: str = ""
    before: dict[str, str] = {}
    outcome: str = ""

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods of its edits, each once."""
        return tuple(dict.fromkeys(each.method for each in self.payloads))


class Cited(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that a judgement rests on: its id, where it was read, and what it says."""

    fact: str
    path: str
    line: int
    statement: str


class Treatment(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a cluster: its tests with their analyses, who is wrong, what was tried, and how that ended.

    `healed` are the tests that are green now by what was kept, with its `diff`; `proposals` have their outcomes.
    `since` names the revision that today was compared with, `review` the entry of the queue that waits for a person.
    `cited` are the facts of its evidence, as they are now or were then. `undo` is the id by which what was kept can be
    taken back.
    """

    analyses: tuple[Analysis, ...]
    judgement: Judgement
    result: Result
    proposals: tuple[Proposal, ...] = ()
    healed: tuple[str, ...] = ()
    diff: str = ""
    since: str = ""
    review: str = ""
    cited: tuple[Cited, ...] = ()
    undo: str = ""

    @property
    def nodes(self) -> tuple[str, ...]:
        """The tests of the cluster."""
        return tuple(each.node for each in self.analyses)


class Healed(msgspec.Struct, frozen=True, kw_only=True):
    """What a run of healing came to: the treatments, how each test stood at the beginning, and what was in force.

    `dry` says that nothing was to be changed.
    """

    treatments: tuple[Treatment, ...] = ()
    before: dict[str, Outcome] = {}
    level: str = ""
    sandbox: str = ""
    dry: bool = False
