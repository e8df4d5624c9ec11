"""Finds the documented examples that may speak about a failure: those of what changed, and of what its test uses,
and those of pages that name either."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from graph.facts import Fact, Kind
from healer.judging.uses import Uses
from healer.judging.witnesses import Witnesses, doc, plain
from healer.movements import Movement
from ingest.change_lists import is_list_of_changes

Shown = Callable[[Sequence[Fact]], Mapping[str, str]]
"""Gives, by id, the facts of which a documented example held when the tests last passed and does not any more, with
the words for it."""
_MOST = 30
_LAST = 3
_WORD = re.compile(r"[^\W\d]\w*")


def nothing_shown(_: Sequence[Fact]) -> Mapping[str, str]:
    """What is shown where nobody tries examples: nothing."""
    return {}


def documented(used: Uses, changed: Iterable[Movement], witnesses: Witnesses) -> list[Fact]:
    """The facts with examples that are about what changed, then those about what the test uses, then pages."""
    moved = {witnesses.now(plain(each.subject.partition("#")[0])) for each in changed}
    near = {witnesses.now(name) for name in used.line}
    there = near | {witnesses.now(name) for name in used.test}
    words = {name.rpartition(".")[2] for name in (*moved, *near)}
    ranked: list[tuple[int, Fact]] = []
    for fact in witnesses.exemplified:
        if fact.kind is Kind.PAGE:
            if not is_list_of_changes(fact.key) and _names(fact) & words:
                ranked.append((_LAST, fact))
            continue
        name = plain(fact.key)
        holder, _, last = name.rpartition(".")
        is_member = last in used.members and holder in witnesses.classes
        place = (name not in moved, name not in near, not is_member and name not in there)
        if not all(place):
            ranked.append((place.index(False), fact))
    return [fact for _, fact in sorted(ranked, key=lambda each: each[0])[:_MOST]]


def _names(page: Fact) -> set[str]:
    """The names that stand in the examples of a page."""
    rows = [*(doc(page).get("examples") or ()), *(doc(page).get("shown") or ())]
    return {name for source, *_ in rows for name in _WORD.findall(str(source))}
