"""Finds the documented examples that may speak about a failure: those of what changed, and of what its test uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from graph.facts import Fact
from healer.judging.uses import Uses
from healer.judging.witnesses import Witnesses, plain
from healer.movements import Movement

Shown = Callable[[Sequence[Fact]], Mapping[str, str]]
"""Gives, by id, the facts of which a documented example held when the tests last passed and does not any more, with
the words for it."""
_MOST = 30


def nothing_shown(_: Sequence[Fact]) -> Mapping[str, str]:
    """What is shown where nobody tries examples: nothing."""
    return {}


def documented(used: Uses, changed: Iterable[Movement], witnesses: Witnesses) -> list[Fact]:
    """The facts with examples that are about what changed, then those about what the test uses."""
    moved = {witnesses.now(plain(each.subject.partition("#")[0])) for each in changed}
    near = {witnesses.now(name) for name in used.line}
    there = near | {witnesses.now(name) for name in used.test}
    ranked: list[tuple[int, Fact]] = []
    for fact in witnesses.exemplified:
        name = plain(fact.key)
        holder, _, last = name.rpartition(".")
        is_member = last in used.members and holder in witnesses.classes
        place = (name not in moved, name not in near, not is_member and name not in there)
        if not all(place):
            ranked.append((place.index(False), fact))
    return [fact for _, fact in sorted(ranked, key=lambda each: each[0])[:_MOST]]
