"""Tells what moved among operations, answers and fields, on the side of contracts and on that of code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from graph.changes import Changes, differences
from graph.facts import Fact, Json, Kind
from healer.movements import Cause, Movement


def of_contracts(changes: Changes) -> Iterator[Movement]:
    """Routes that have another path or method, answers with another status, fields with another name or schema."""
    yield from _routes(changes)
    yield from _statuses(changes)
    yield from _fields(changes)


def _routes(changes: Changes) -> Iterator[Movement]:
    gone, come = (_kind(facts, Kind.OPERATION) for facts in (changes.removed, changes.added))
    for before in gone:
        same = [after for after in come if after.tag == before.tag and _is_same(before, after)]
        rivals = [each for each in gone if same and each.tag == before.tag and _is_same(each, same[0])]
        if len(same) == len(rivals) == 1:
            yield _told(Cause.ROUTE_CHANGED, before, same[0], before.key, before.key, same[0].key)
        else:
            yield _told(Cause.REMOVED, before, None, before.key, before.key, None)


def _is_same(before: Fact, after: Fact) -> bool:
    """Whether two operations have one handler, or one id, or else all but the path in common."""
    for name in ("handler", "operation_id"):
        if before.aspects.get(name) and after.aspects.get(name):
            return bool(before.aspects[name] == after.aspects[name])
    told = {each.aspect.partition(".")[0] for each in differences(before, after)}
    return told <= {"path", "method", "source", "base_path"} and bool(before.aspects.get("summary"))


def _statuses(changes: Changes) -> Iterator[Movement]:
    for before, after in _exchanged(changes, Kind.RESPONSE, "#", _answers):
        then, now = (each and each.key.rpartition("#")[2] for each in (before, after))
        operation = before.key.rpartition("#")[0]
        yield _told(Cause.STATUS_CHANGED, before, after, operation, then, now)


def _answers(fact: Fact, like: Fact, operation: str) -> bool:
    """Whether an answer belongs to an operation, and is a success or an error as another one is."""
    same_class = fact.key.rpartition("#")[2][:1] == like.key.rpartition("#")[2][:1]
    return fact.tag == like.tag and fact.key.rpartition("#")[0] == operation and same_class


def _fields(changes: Changes) -> Iterator[Movement]:
    for before, after in _exchanged(changes, Kind.FIELD, ".", _is_field):
        then, now = (each and each.key.rpartition(".")[2] for each in (before, after))
        yield _told(Cause.FIELD_CHANGED, before, after, before.key, then, now)
    for old, new in changes.changed:
        if old.kind is Kind.FIELD:
            for each in differences(old, new):
                yield _told(Cause.FIELD_CHANGED, old, new, old.key, each.before, each.after)


def _exchanged(
    changes: Changes, kind: Kind, sign: str, is_like: Callable[[Fact, Fact, str], bool]
) -> Iterator[tuple[Fact, Fact | None]]:
    """The parts that are gone from what is still there, each with the only one that came in its place."""
    gone, come = (_kind(facts, kind) for facts in (changes.removed, changes.added))
    holders = _kind(changes.removed, Kind.OPERATION if kind is Kind.RESPONSE else Kind.SCHEMA)
    lost = {(fact.tag, fact.key) for fact in holders}
    for before in gone:
        holder = before.key.rpartition(sign)[0]
        if (before.tag, holder) in lost:
            continue
        left = [each for each in gone if is_like(each, before, holder)]
        new = [each for each in come if is_like(each, before, holder)]
        yield before, new[0] if len(left) == len(new) == 1 else None


def _is_field(fact: Fact, like: Fact, holder: str) -> bool:
    same = fact.aspects.get("schema") == like.aspects.get("schema")
    return fact.tag == like.tag and same and fact.key.rpartition(".")[0] == holder


def _kind(facts: Iterable[Fact], kind: Kind) -> list[Fact]:
    return [fact for fact in facts if fact.kind is kind]


def _told(cause: Cause, before: Fact, after: Fact | None, subject: str, then: Json, now: Json) -> Movement:
    facts = (before.id, after.id) if after is not None else (before.id,)
    return Movement(
        cause=cause,
        side=str(before.tag),
        subject=subject,
        before=then,
        after=now,
        facts=tuple(dict.fromkeys(facts)),
    )
