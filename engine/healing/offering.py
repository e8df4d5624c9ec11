"""Asks healers what they would do, and holds each answer against the gate before anything is touched."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

import msgspec

from engine.healing.gate import Passed, key_of, looks_like_test, passed
from engine.healing.records import Proposal
from healer.editing.exchanging import Refused
from healer.guarding.backed import backing_of
from healer.healer import Healer, Patient
from healer.payload import Payload

WAITS = "waits for a person"
REFUSED = "refused: "
TAKEN_BACK = "it was made before, and a person took it back"
_TURNED_DOWN = "a person rejected this edit or took it back before"
_LOOKED_AT = 12


class Limits(msgspec.Struct, frozen=True):
    """How much is tried: attempts for one cluster, and in all; below which confidence a person decides."""

    attempts: int = 3
    budget: int = 100
    confidence: float = 0.6


class Offers:
    """Proposals of the healers of a run; `rejected` are the keys of attempts that a person turned down.

    `taken_back` has those that a person took back after they were kept, as far as they were offered again.
    """

    def __init__(
        self,
        root: Path,
        healers: Sequence[Healer],
        limits: Limits,
        rejected: Collection[str] = (),
        kept: Collection[str] = (),
        ordered: Callable[[Sequence[Healer], Patient], Sequence[Healer]] = lambda healers, patient: healers,
    ) -> None:
        """`ordered` puts the healers in the order in which they are asked about a patient; `kept` are the keys of the
        attempts that were kept before: where one is offered again, a person took it back."""
        self._root = root
        self._ordered = ordered
        self._healers = healers
        self._limits = limits
        self._known = {**dict.fromkeys(kept, TAKEN_BACK), **dict.fromkeys(rejected, _TURNED_DOWN)}
        self.taken_back: set[str] = set()

    def of(self, patient: Patient) -> Iterator[tuple[Proposal, Passed | None]]:
        """What healers propose, each with the files as it makes them; `None` where it may not simply be tried.

        Its outcome says why: it is refused, or it waits for a person.
        """
        for healer, payloads in self._proposed(patient):
            yield self.seen(_proposal(healer, payloads, patient), patient)

    def waiting(self, patient: Patient) -> Iterator[Proposal]:
        """What healers propose where a person decides whether the test is stale at all."""
        for healer, payloads in self._proposed(patient):
            yield self.seen(_proposal(healer, payloads, patient), patient, decided=True)[0]

    def seen(
        self, proposal: Proposal, patient: Patient, *, decided: bool = False
    ) -> tuple[Proposal, Passed | None]:
        """A proposal as the gate sees it; see `of`. `decided` leaves the expected values to a person."""
        backing = backing_of(patient, proposal.payloads, decided=decided)
        try:
            ready = passed(self._root, proposal.payloads, backing, is_test=looks_like_test, known=self._known)
        except Refused as error:
            if str(error) == TAKEN_BACK:
                self.taken_back.add(key_of(proposal.payloads))
            return msgspec.structs.replace(proposal, outcome=f"{REFUSED}{error}"), None
        proposal = msgspec.structs.replace(proposal, diff=ready.diff, before=ready.before, outcome=WAITS)
        waits = decided or backing.retired or proposal.confidence < self._limits.confidence
        return proposal, None if waits else ready

    def _proposed(self, patient: Patient) -> Iterator[tuple[Healer, tuple[Payload, ...]]]:
        for healer in self._ordered(self._healers, patient):
            for number, payloads in enumerate(healer.propose(patient)):
                if number >= _LOOKED_AT:
                    break
                yield healer, payloads


def _proposal(healer: Healer, payloads: tuple[Payload, ...], patient: Patient) -> Proposal:
    """A proposal with its confidence: that of the judgement, less where the healer only guesses (`sureness`)."""
    confidence = patient.judgement.confidence * getattr(healer, "sureness", 1.0)
    return Proposal(healer=healer.name, payloads=payloads, confidence=round(confidence, 3))
