"""What the evidence of a cluster backs in an edit: values that may come into a test, and names that are others now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from graph.facts import Json, Tag
from graph.literals import NO_LITERAL, literal_value
from healer.guarding.backing import Backing, flat
from healer.healer import Patient
from healer.movements import Cause, Movement
from healer.payload import Payload

_LONGEST = 1_000
_VALUES = frozenset(
    {
        Cause.EXCEPTION_CHANGED,
        Cause.CONSTANT_CHANGED,
        Cause.DEFAULT_CHANGED,
        Cause.RETURN_CHANGED,
        Cause.ROUTE_CHANGED,
        Cause.FIELD_CHANGED,
        Cause.STATUS_CHANGED,
    }
)
_NAMES = frozenset(
    {Cause.RENAMED, Cause.MOVED, Cause.MODULE_RENAMED, Cause.PARAMETER_RENAMED, Cause.MEMBER_RENAMED}
)


def backing_of(patient: Patient, payloads: Iterable[Payload], *, decided: bool = False) -> Backing:
    """What backs an attempt: facts of the specs that it cites or that the judgement rests on, and changes.

    A changed value of the code alone backs nothing: only what the specs say, or what moved there too, does. `decided`
    says that a person stands for the attempt.
    """
    payloads = tuple(payloads)
    explained = patient.judgement.explained_by
    moved = (*explained, *patient.movements)
    cited = dict.fromkeys(id_ for each in payloads for id_ in each.cites)
    facts = [patient.now(id_) for id_ in dict.fromkeys((*cited, *patient.judgement.evidence))]
    values: list[Json] = [fact.aspects for fact in facts if fact is not None and fact.tag is Tag.SPEC]
    values += [each.after for each in moved if each.side == Tag.SPEC and each.cause in _VALUES]
    return Backing(
        values=(*values, *_literals(values)),
        renames=_renames(
            each
            for each in moved
            if each.cause in _NAMES or (each.cause in _VALUES and each.side == Tag.SPEC)
        ),
        retired=tuple(name for each in payloads for name in each.retire),
        drops=any(each.cause is Cause.PARAMETER_REMOVED for each in explained),
        adds=any(each.cause in (Cause.PARAMETER_ADDED, Cause.DEFAULT_CHANGED) for each in explained),
        decided=decided,
    )


def _literals(values: Iterable[Json]) -> Iterator[Json]:
    """The values of the source texts of literals, as which facts have what code and stubs say."""
    for each in flat(list(values)):
        if isinstance(each, str) and len(each) < _LONGEST:
            value = literal_value(each)
            if value is not NO_LITERAL:
                yield value


def _renames(moved: Iterable[Movement]) -> dict[str, str]:
    renames: dict[str, str] = {}
    for each in moved:
        before, after = each.before, each.after
        if not isinstance(before, str) or not isinstance(after, str) or not before or not after:
            continue
        if each.cause is Cause.ROUTE_CHANGED:
            before, after = before.rpartition(" ")[2], after.rpartition(" ")[2]
            # An f-string has the pieces around its fields as texts of their own.
            pieces = [re.split(r"\{[^{}]*\}", path) for path in (before, after)]
            if len(pieces[0]) == len(pieces[1]):
                renames |= {old: new for old, new in zip(*pieces, strict=True) if len(old) > 1}
        renames.setdefault(before, after)
        if not before.startswith("/"):
            renames.setdefault(before.rpartition(".")[2], after.rpartition(".")[2])
    return {before: after for before, after in renames.items() if before != after}
