"""Holds what stories claim of requests against operations: how they are answered, and who may make them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crossval.compare.claims import ClaimPair, Stated, status_declared
from crossval.compare.http import Operation, gather
from crossval.compare.security import lets_everybody_in
from crossval.link.claims.operations import INFERRED, Operations, requests_of
from crossval.link.claims.pairs import CODE, CONTRACT, claim_pair
from crossval.link.claims.subjects import NAMED, SURE, Candidate, Context
from crossval.link.contracts.written_requests import Requests
from graph.facts import Fact, Json, Kind, Tag
from graph.source import FactSource

_SIDES = ((Tag.SPEC, CONTRACT), (Tag.CODE, CODE))


class Answers:
    """The operations of both witnesses with their answers and their guards."""

    def __init__(self, source: FactSource, parts: Iterable[Fact]) -> None:
        self._parts = list(parts)
        operations = [fact for fact in self._parts if fact.kind is Kind.OPERATION]
        self._operations = {tag: Requests(f for f in operations if f.tag is tag) for tag, _ in _SIDES}
        self._statuses: dict[str, dict[str, Fact]] = {}
        for fact in self._parts:
            if fact.kind is Kind.RESPONSE:
                operation = f"{fact.tag}:{Kind.OPERATION}:{fact.key.partition('#')[0]}"
                self._statuses.setdefault(operation, {})[str(fact.aspects.get("status", fact.name))] = fact
        self._inferred = Operations(source, operations)
        self._gathered: dict[Tag, list[Operation]] = {}

    def keys(self, requests: Iterable[str]) -> frozenset[str]:
        """The keys of the operations that answer these requests."""
        found = (operations.find(each) for each in requests for operations in self._operations.values())
        return frozenset(operation.key for operation in found if operation is not None)

    def judged(self, claim: Json, context: Context, named: list[str]) -> Iterator[ClaimPair | None]:
        """A pair for each witness against the claim, None for each that agrees; nothing where no operation is meant."""
        if claim["kind"] == "outcome":
            yield from self._outcome(claim, context, named)
        elif claim["kind"] == "role":
            yield from self._admitted(claim, context, named)

    def _outcome(self, claim: Json, context: Context, named: list[str]) -> Iterator[ClaimPair | None]:
        if claim["modality"] == "may":
            return
        requests, confidence = self._asked(context, named)
        if not requests and (things := self._inferred.of_missing(claim) or self._inferred.of_deed(claim)):
            yield from self._all_answer(claim, things, context.holder)
            return
        if not requests:
            meant = self._inferred.clearly(context.holder, lambda key: self._speaks_of(key, claim["value"]))
            requests, confidence = [meant] if meant else [], INFERRED
        requests = requests or requests_of(claim, context.beside)
        if len(set(requests)) == 1:
            yield from self._all_answer(claim, requests, context.holder, confidence)

    def _asked(self, context: Context, named: list[str]) -> tuple[list[str], float]:
        """The requests that a story names, else the operations that somebody linked it with, and how sure that is."""
        if named:
            return named, SURE
        return [each.split(":", 2)[2] for each in sorted(context.linked) if ":operation:" in each], NAMED

    def _all_answer(
        self, claim: Json, requests: list[str], holder: Fact, confidence: float = INFERRED
    ) -> Iterator[ClaimPair | None]:
        """For each witness the first pair, where none of these operations answers as claimed; else None."""
        for tag, against in _SIDES:
            found = [
                each for request in requests if (each := self._operations[tag].find(request)) is not None
            ]
            pairs = [self._answers(claim, each, holder, against, confidence) for each in found]
            if pairs:
                yield pairs[0] if all(pair is not None for pair in pairs) else None

    def _speaks_of(self, request: str, status: int) -> bool:
        """Whether contract or code name this very status for an operation."""
        return any(
            str(status) in self._statuses.get(operation.id, {})
            for operations in self._operations.values()
            if (operation := operations.find(request)) is not None
        )

    def _admitted(self, claim: Json, context: Context, named: list[str]) -> Iterator[ClaimPair | None]:
        """Who alone may do something, against operations that everybody may call."""
        if claim.get("negated") or claim.get("condition") or claim["comparator"] != "=":
            return
        requests, confidence = self._asked(context, named)
        if not requests:
            meant = self._inferred.clearly(context.holder)
            requests, confidence = [meant] if meant else [], INFERRED
        if len(set(requests)) != 1:
            return
        for tag, against in _SIDES:
            operation = self._operations[tag].find(requests[0])
            if operation is None:
                continue
            found = Stated("security", None, False)
            target = Candidate(operation, confidence)
            public = self._is_public(operation, tag)
            text = "that everybody may call it"
            yield claim_pair(claim, found, text, target, context.holder, against) if public else None

    def _is_public(self, operation: Fact, tag: Tag) -> bool:
        """Whether everybody may call an operation, surely, where its witness restricts others."""
        if tag not in self._gathered:
            self._gathered[tag] = gather(fact for fact in self._parts if fact.tag is tag)
        every = self._gathered[tag]
        if not any(lets_everybody_in(each) is False for each in every):
            return False
        return any(each.fact.id == operation.id and lets_everybody_in(each) for each in every)

    def _answers(
        self, claim: Json, operation: Fact, holder: Fact, against: str, confidence: float
    ) -> ClaimPair | None:
        statuses = sorted(self._statuses.get(operation.id, {}))
        if not statuses or (against == CODE and not operation.aspects.get("statuses_complete")):
            return None
        if claim.get("negated"):
            # Whether an answer that is denied for some case is given in others is another question.
            if claim.get("condition") or str(claim["value"]) not in statuses:
                return None
            if claim["value"] >= 500 and confidence < SURE:
                return None
        elif status_declared(claim["value"], statuses):
            return None
        text = (
            f"the answer {claim['value']}"
            if claim.get("negated")
            else "only the answers " + ", ".join(statuses)
            if len(statuses) > 1
            else f"only the answer {statuses[0]}"
        )
        found = Stated(f"responses.{claim['value']}", statuses, False)
        return claim_pair(claim, found, text, Candidate(operation, confidence), holder, against)
