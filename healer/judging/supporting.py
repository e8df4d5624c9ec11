"""Finds the change of a spec that a change of the code goes with: both sides moved, so that the test is what stayed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from healer.analysis import Analysis
from healer.judging.served import is_same_field, is_same_operation, is_served_by, tells_served
from healer.judging.witnesses import Witnesses
from healer.movements import NAMES, Cause, Movement
from healer.reading.same import same_value

_RESULTS = frozenset({Cause.BODY_CHANGED, Cause.RETURN_CHANGED})
_TOLD = frozenset(
    {Cause.RETURN_CHANGED, Cause.CONSTANT_CHANGED, Cause.EXCEPTION_CHANGED, Cause.STATUS_CHANGED}
)


def supporting(
    movement: Movement, movements: Sequence[Movement], witnesses: Witnesses, analysis: Analysis
) -> Iterator[Movement]:
    """The movements of specs that say what this movement of the code did.

    The change of a body is told by that of a result, or of a value that the test expects and that no longer comes.
    """
    for other in movements:
        if other.side != "spec":
            continue
        if (
            _says_the_same(movement, other, witnesses)
            or _tells_result(movement, other, witnesses, analysis)
            or tells_served(movement, other, witnesses)
        ):
            yield other


def _says_the_same(movement: Movement, other: Movement, witnesses: Witnesses) -> bool:
    if movement.cause in NAMES:
        return other.cause in NAMES and (other.subject, other.after) == (movement.subject, movement.after)
    if movement.cause is Cause.REMOVED:
        return other.cause is Cause.REMOVED and _is_within(movement.subject, other.subject)
    if movement.cause is not other.cause:
        return False
    if movement.cause is Cause.ROUTE_CHANGED:
        return is_same_operation(movement.before, other.before) and is_same_operation(
            movement.after, other.after
        )
    same = same_value(movement.before, other.before) and same_value(movement.after, other.after)
    if movement.cause is Cause.EXCEPTION_CHANGED:
        same = same or _last(movement) == _last(other)
    return same and _is_about(movement, other, witnesses)


def _tells_result(movement: Movement, other: Movement, witnesses: Witnesses, analysis: Analysis) -> bool:
    if (
        movement.cause not in _RESULTS
        or other.cause not in _TOLD
        or not _is_about(movement, other, witnesses)
    ):
        return False
    if other.cause is Cause.RETURN_CHANGED:
        return True
    is_expected = analysis.expected and same_value(other.before, analysis.expected)
    return bool(is_expected and (not analysis.observed or same_value(other.after, analysis.observed)))


def _is_about(movement: Movement, other: Movement, witnesses: Witnesses) -> bool:
    """Whether both speak of one thing, or the spec's words name it or nothing else has these values."""
    if movement.subject == other.subject:
        return True
    if other.cause is Cause.STATUS_CHANGED:
        is_one = is_same_operation(movement.subject, other.subject)
        return is_one or is_served_by(movement, other.subject, witnesses)
    if movement.cause is other.cause is Cause.FIELD_CHANGED:
        return is_same_field(movement.subject, other.subject)
    name, told = movement.subject.partition("#")[0], other.subject.partition("#")[0]
    if told in (name, witnesses.now(name)):
        return "#" not in other.subject or movement.cause in _RESULTS
    identifiers = {fact.id for fact in witnesses.mentions(name)}
    if identifiers.intersection(other.facts):
        return True
    is_story = any(each.startswith(("spec:story:", "spec:criterion:")) for each in other.facts)
    return is_story and movement.cause is other.cause


def _is_within(name: str, other: str) -> bool:
    return name == other or name.startswith(f"{other}.") or other.startswith(f"{name}.")


def _last(movement: Movement) -> tuple[str, str]:
    return str(movement.before).rpartition(".")[2], str(movement.after).rpartition(".")[2]
