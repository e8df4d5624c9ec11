"""Tells fixtures of tests that have another name, or that went."""

from __future__ import annotations

from collections.abc import Iterator

from graph.changes import Changes
from graph.facts import Fact, Kind, Tag
from healer.movements import Cause, Movement


def of_fixtures(changes: Changes) -> Iterator[Movement]:
    """Fixtures that went: renamed where the same file has a new one with the same body, else removed."""
    pairs = [(b, a) for b, a in changes.changed if b.kind is Kind.MODULE and b.tag is Tag.TEST]
    came = [(a, row) for b, a in pairs for row in _rows(a) if row[0] not in _names(b)]
    came += [(fact, row) for fact in changes.added if fact.tag is Tag.TEST for row in _rows(fact)]
    gone = [(b, row) for b, a in pairs for row in _rows(b) if row[0] not in _names(a)]
    gone += [(fact, row) for fact in changes.removed if fact.tag is Tag.TEST for row in _rows(fact)]
    for before, (name, body, _) in gone:
        same = [(fact, row) for fact, row in came if row[1] == body]
        rivals = [row for _, row in gone if row[1] == body]
        near = [each for each in came if each[0].key == before.key]
        subject = f"{before.key}.{name}"
        if len(same) == len(rivals) == 1:
            after, row = same[0]
            if row[0] != name:
                yield _told(Cause.RENAMED, subject, before, after, row[0], whole=True)
        elif len(near) == 1 and len([1 for fact, _ in gone if fact.key == before.key]) == 1:
            yield _told(Cause.RENAMED, subject, before, near[0][0], near[0][1][0], whole=False)
        elif not same:
            yield Movement(
                cause=Cause.REMOVED, side="test", subject=subject, before=subject, facts=(before.id,)
            )


def _told(cause: Cause, subject: str, before: Fact, after: Fact, name: str, *, whole: bool) -> Movement:
    return Movement(
        cause=cause,
        side="test",
        subject=subject,
        before=subject,
        after=f"{after.key}.{name}",
        facts=tuple(dict.fromkeys((before.id, after.id))),
        whole=whole,
    )


def _rows(fact: Fact) -> list[tuple[str, str, int]]:
    return [(str(row[0]), str(row[1]), int(row[2])) for row in fact.aspects.get("fixtures", ())]


def _names(fact: Fact) -> set[str]:
    return {name for name, _, _ in _rows(fact)}
