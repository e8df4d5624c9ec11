"""Reads scenarios told in people's own words as requests: each step is an operation, its values are what is sent.

An operation is known by the words of its summary (`I pay in 1000` is `Pay in`), a thing by its noun (`an account of
"Grace" in "EUR"`), a value by the field that can take it. Whatever is left over of a step makes it unclear: a request
that leaves out what a sentence says would be another one. What a request needs beside what is said, its test fills in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from graph.facts import Fact, Json
from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.things import Thing
from planner.stories.behaviours import Behaviour, facts_of
from planner.stories.callers import is_let_in
from planner.stories.exchanges import Exchange, filled, rows_of
from planner.stories.plays import Play
from planner.stories.retold import Retelling
from planner.stories.scenarios import UnclearStep

_AND = re.compile(r",?\s+and\s+|,\s+|\s+with\s+(?=\d)")
_BARE = re.compile(r"(?:\d|no\b|an?\s)")
_OF_WHAT = re.compile(r"(?:the\s+[a-z]+(?:\s+[\"“][^\"”]+[\"”])?|[\"“][^\"”]+[\"”]|it)(?=\s)", re.I)


def acted(
    criterion: Fact, things: Sequence[Thing], operations: Sequence[Operation], row: int = 0
) -> list[Exchange]:
    """The requests of a scenario, the last with what is told of its answer, with an outline's row of examples put in.

    Raises UnclearStep where any is unclear, or nothing that is told can be seen.
    """
    return _played(criterion, things, operations, row).exchanges


def _played(
    criterion: Fact,
    things: Sequence[Thing],
    operations: Sequence[Operation],
    row: int,
    *,
    arranges: bool = False,
) -> Play:
    told = {
        name: [filled(str(each), criterion, row).strip(" .") for each in criterion.aspects.get(name) or ()]
        for name in ("given", "when", "then")
    }
    whole = [*told["given"], *told["when"]]
    if not whole or not told["then"] or any("<" in each for steps in told.values() for each in steps):
        raise UnclearStep("a When and a Then, and a value for each place to fill in")
    reasons: list[UnclearStep] = []
    play, retelling = Play(things, operations, arranges=arranges), Retelling(things)
    for step in told["given"]:
        says_who = retelling.declares(step) or retelling.introduces(step) or retelling.is_person(step)
        if not says_who and not is_let_in(step, whole):
            play.act(retelling.told(step), is_given=True)
    for step in told["when"]:
        play.act(retelling.told(step), is_given=False)
    for step in told["then"]:
        step = retelling.with_articles(step)
        words = retelling.told(step).words if step.lower().startswith("the ") else step
        try:
            _expect(play, step if words.startswith("I ") else words)
        except UnclearStep as error:
            play.unseen.append(step)
            reasons.append(error)
    if reasons and (arranges or len(reasons) == len(told["then"])):
        raise reasons[0]
    return play


def _expect(play: Play, step: str) -> None:
    """An outcome; of several in one sentence those that can be seen. Raises UnclearStep where none can."""
    try:
        play.expect(step)
    except UnclearStep:
        parts = [_with_subject(part, step) for part in _AND.split(step)]
        seen = [play.is_seen(part) for part in parts] if len(parts) > 1 else []
        if not any(seen):
            raise


def _with_subject(part: str, step: str) -> str:
    """A part of a sentence that says what else something has, with that thing in front: `and 14 litres free`."""
    subject = _OF_WHAT.match(step)
    return f"{subject[0]} has {part}" if subject is not None and _BARE.match(part) else part


def acted_behaviours(
    criterion: Fact, things: Sequence[Thing], operations: Sequence[Operation], *, arranges: bool = False
) -> Iterator[Behaviour]:
    """What a scenario claims, one behaviour for each row of its examples. Raises UnclearStep where any is unclear.

    With `arranges` it stands for a sentence, so that what an act needs is made though nobody speaks of it.
    """
    rows = rows_of(criterion)
    plays = [_played(criterion, things, operations, row, arranges=arranges) for row in range(rows)]
    for row, play in enumerate(plays):
        found = _behaviour(play.exchanges, operations)
        # Of a sentence nobody tells that what is made before is taken.
        told: dict[str, Json] = {"arranged": True} if arranges else {}
        told |= {"unseen": [*play.unseen]} if play.unseen else {}
        found = msgspec.structs.replace(found, target={**found.target, **told})
        yield msgspec.structs.replace(found, target={**found.target, "row": row}) if rows > 1 else found
    for exchanges in plays[0].refusals() if rows == 1 else ():
        found = _behaviour(exchanges, operations)
        yield msgspec.structs.replace(found, target={**found.target, "refuses": True})


def _behaviour(exchanges: Sequence[Exchange], operations: Sequence[Operation]) -> Behaviour:
    """The behaviour that such requests claim: of the last operation of whose answer something is told."""
    last = next(each for each in reversed(exchanges) if each.is_told)
    operation = next(
        each for each in operations if each.method == last.method and _shape(each.path) == _shape(last.path)
    )
    target: dict[str, Json] = {"operation": operation.key, "exchanges": msgspec.to_builtins(list(exchanges))}
    return Behaviour("told", target, facts_of(operation, last.status))


def _shape(path: str) -> str:
    return PARAMETER.sub("{}", path)
