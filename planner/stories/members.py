"""Which value of which request a criterion speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crossval.compare.claims import words
from crossval.compare.components import split_null
from crossval.link.claims.subjects import Context, Named
from graph.facts import Fact, Json, Kind, Tag
from graph.source import FactSource
from planner.contracts.operations import Member, Operation
from planner.contracts.things import Thing
from planner.contracts.unknowable import lets_in

_OWNED = re.compile(r"(?P<owner>[\w -]+)[’']s\s+[\w-]+")
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}


class Spoken:
    """Knows the values of all requests by what claims call them."""

    def __init__(self, source: FactSource, operations: Sequence[Operation]) -> None:
        self._operations = operations
        self._named = Named(source.facts(tag=Tag.SPEC, kinds={Kind.FIELD, Kind.PARAMETER}))

    def of(
        self, criterion: Fact, claim: Json, about: Sequence[Thing], said: str
    ) -> list[tuple[Operation, Member]]:
        """The value that a claim speaks of, of the operation that makes things first; `said` are all words around it.

        At most one; none where it may be several.
        """
        nouns = {each.noun for each in about}
        context = Context(frozenset(words(said)) | nouns, frozenset(), criterion)
        found = {each.fact.id for each in self._named.candidates(claim, context)}
        takers = [
            (operation, member)
            for operation in self._operations
            for member in operation.members()
            if member.fact in found and member.location != "path"
        ]
        subject = str(claim.get("subject") or "").partition(" of ")[0]
        unit = str(claim.get("unit") or "")
        # Fields of a body without a name of its own are no facts.
        takers = takers or self._within(subject, about)
        takers = takers or (self._within(f"{subject} {unit}", about) if unit else [])  # `capacity_litres`
        return [min(takers, key=_by_making)] if takers else self._of_one(subject, said)

    def _within(self, subject: str, about: Sequence[Thing]) -> list[tuple[Operation, Member]]:
        """The fields of the thing that a criterion is about which are called as its subject, or as what that is of."""
        operations = [operation for thing in about[:1] for operation in thing.operations()]
        owned = _OWNED.fullmatch(subject)
        found = _called(subject, operations)
        return found or (_called(owned["owner"], operations) if owned else [])

    def _of_one(self, subject: str, said: str) -> list[tuple[Operation, Member]]:
        """The field of this name that one operation has, or of several the one whose summary stands in the words."""
        found = _called(subject, self._operations)
        if len(found) > 1:  # A login takes what somebody has already.
            found = [each for each in found if not lets_in(each[0])] or found
        if len(found) > 1:
            told = set(words(said))
            summaries = (set(words(str(each.fact.aspects.get("summary") or ""))) for each, _ in found)
            found = [
                each for each, summary in zip(found, summaries, strict=True) if summary and summary <= told
            ]
        return found if len(found) == 1 else []


def _called(name: str, operations: Sequence[Operation]) -> list[tuple[Operation, Member]]:
    """The fields of bodies that go by a name."""
    wanted = words(name)
    return [
        (operation, member)
        for operation in operations
        for member in operation.members()
        if member.location == "body" and wanted and words(member.name) == wanted
    ]


def _by_making(each: tuple[Operation, Member]) -> tuple[bool, str]:
    """What orders fields: those of what makes things first."""
    operation = each[0]
    return operation.method != "POST" or lets_in(operation), operation.key


def in_its_unit(
    claim: Json, criterion: Fact, about: Sequence[Thing]
) -> Iterator[tuple[Operation, Member, int]]:
    """The number of a thing that is called as the unit of time of a claim, which counts seconds: `minutes`."""
    told = set(words(str(criterion.aspects.get("text") or "")))
    if claim.get("unit") != "seconds":
        return
    for thing in about[:1]:
        for member in thing.maker.members():
            unit = next((each for each in _SECONDS if each in words(member.name) and each in told), None)
            is_number = split_null(member.schema)[0].get("type") in ("integer", "number")
            if unit is not None and is_number and claim["value"] % _SECONDS[unit] == 0:
                yield thing.maker, member, int(claim["value"] // _SECONDS[unit])
