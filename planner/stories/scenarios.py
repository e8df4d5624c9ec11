"""Reads the steps of a scenario as actions on the things of a contract."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from crossval.compare.components import split_null
from graph.facts import Fact, Json
from planner.contracts.things import Thing
from planner.stories.behaviours import Behaviour, facts_of
from planner.stories.things import mentioned, with_article, words_in

_QUOTED = re.compile(r"[\"“']([^\"”']+)[\"”']")
_STATE = re.compile(r"\b(?:is|as|be|was|are)\s+(?P<not>not\s+)?(?:yet\s+)?(?P<word>[a-z][\w-]*)\W*$", re.I)
_REMOVE = re.compile(r"\b(?:remove|delete|discard|throw\w* away|drop)s?\b", re.I)
_MAKE = re.compile(r"\b(?:add|create|write|enter|put|post|make|register|place)s?\b", re.I)
_THERE = re.compile(r"\b(?:has|have|contains?|there (?:is|are)|exists?|with|holds?)\b", re.I)
_LIST = re.compile(r"\b(?:lists?|overview|collection|catalogue?)\b", re.I)
_EMPTY = re.compile(r"\b(?:is|are|be) empty\b|\bhas nothing\b|\bcontains nothing\b", re.I)
_WITHOUT = re.compile(r"\b(?:not|no longer|never|n't)\b.*[\"“']", re.I)
_STATUS = re.compile(r"\b([1-5]\d\d)\b")
_ASKED = re.compile(
    r"\b(?:ask\w*|look\w*|read\w*|open\w*|fetch\w*|get\w*|request\w*)\b.*\b(?:it|that|for)\b", re.I
)
_RUNNING = re.compile(
    r"(?:that )?(?:the|our|an?) (?:[\w-]+ )?(?:service|server|api|app|application|system|backend)"
    r" (?:runs|is (?:up(?: and running)?|running|started|available|ready|reachable|online))\W*",
    re.IGNORECASE,
)
_OPEN = frozenset(
    {"left", "open", "remaining", "pending", "outstanding", "unfinished", "incomplete", "unresolved"}
)
_DONE = frozenset({"done", "completed", "complete", "finished", "closed", "resolved", "checked", "ticked"})


class Step(msgspec.Struct, frozen=True):
    """One action or expectation: `make`, `change`, `remove`, or `listed`, `empty`, `answered`, `shows`.

    `title` names the thing, `field` and `value` what is set, filtered by or shown; `status` what is answered.
    """

    does: str
    words: str
    title: str = ""
    field: str = ""
    value: bool = True
    negated: bool = False
    status: str = ""


class UnclearStep(Exception):  # noqa: N818 - a reason that becomes a value, never an error of the run
    """A step that cannot be read; the message says what is missing."""


def steps_of(criterion: Fact, every: Sequence[Thing], around: str) -> tuple[Thing, list[Step]]:
    """The thing that a scenario is about, and its steps. Raises UnclearStep with what is missing."""
    aspects = criterion.aspects
    given, when, then = (list(aspects.get(name) or ()) for name in ("given", "when", "then"))
    whole = " ".join([*given, *when, *then])
    found = mentioned(whole, every) or mentioned(around, every) or (list(every) if len(every) == 1 else [])
    if len(found) != 1:
        raise UnclearStep("which thing of the contract the scenario is about")
    thing = found[0]
    if thing.title() is None:
        raise UnclearStep(f"the field in which {with_article(thing.noun)} is given its name")
    known: list[str] = []
    steps: list[Step] = []
    for words in given:
        steps += _given(words, thing, known)
    for words in when:
        steps.append(_action(words, thing, known))
    steps += [_expectation(words, thing, known) for words in then]
    return thing, steps


def played_behaviour(thing: Thing, steps: Sequence[Step]) -> Behaviour:
    """The behaviour that steps claim: of the last operation that acts, seen by the one that lists or reads."""
    by_step = {"make": thing.maker, "change": thing.changer, "remove": thing.remover}
    acting = [by_step.get(step.does) for step in steps]
    last = next((each for each in reversed(acting) if each is not None), thing.maker)
    listed = any(step.does in ("listed", "empty") for step in steps)
    reading = thing.lister if listed else thing.reader
    left_out = (step for step in steps if step.does == "empty" or (step.does == "listed" and step.negated))
    narrowed = next((step.field for step in left_out if step.field), "")
    target: dict[str, Json] = {"operation": last.key, "read": reading.key if reading else ""}
    if narrowed:
        target["place"] = f"query.{narrowed}"
    return Behaviour("scenario", target, facts_of(last))


def _given(words: str, thing: Thing, known: list[str]) -> list[Step]:
    title = _title(words)
    if title is None and _RUNNING.fullmatch(words.strip()):
        return []
    if title is None:
        raise UnclearStep(f"what is there, by its name in quotes: “{words}”")
    made = [] if title in known else [Step("make", words, title)]
    state = _state(words, thing)
    if not made and state is None:
        raise UnclearStep(f"what “{words}” does")
    if made and state is None and not (_THERE.search(words) or _MAKE.search(words)):
        raise UnclearStep(f"what “{words}” does")
    known += [title] if made else []
    return [*made, *([Step("change", words, title, *state)] if state else [])]


def _action(words: str, thing: Thing, known: list[str]) -> Step:
    title = _title(words) or (known[-1] if known and re.search(r"\bit\b", words) else None)
    if title is None:
        raise UnclearStep(f"which {thing.noun} is meant by “{words}”")
    if _REMOVE.search(words) and thing.remover is not None:
        return Step("remove", words, title)
    state = _state(words, thing)
    if state is not None and title in known:
        return Step("change", words, title, *state)
    if _MAKE.search(words) and title not in known:
        known.append(title)
        return Step("make", words, title)
    raise UnclearStep(f"which operation does “{words}”")


def _expectation(words: str, thing: Thing, known: list[str]) -> Step:
    title = _title(words)
    status = _STATUS.search(words)
    if status and known:
        asked = _ASKED.search(words) is not None
        if asked and thing.reader is not None:
            return Step("answered", words, title or known[-1], status=status[1])
    if _LIST.search(words) and thing.lister is not None:
        field, value = _narrowed(words, thing)
        if _EMPTY.search(words):
            return Step("empty", words, known[-1] if known else "", field, value)
        if title in known:
            return Step(
                "listed", words, title or "", field, value, negated=_WITHOUT.search(words) is not None
            )
    state = _state(words, thing)
    if state is not None and title in known and thing.reader is not None:
        return Step("shows", words, title or "", *state)
    raise UnclearStep(f"how “{words}” can be seen")


def _narrowed(words: str, thing: Thing) -> tuple[str, bool]:
    """The query parameter and its value that a list is narrowed by: `the list of what is left`. Empty for none."""
    part = re.search(
        r"\b(?:of|with)\b\s+(?:what|everything|all|those|things?)\b(?P<rest>[^\"“]*)", words, re.I
    )
    if part is None:
        return "", True
    rest = words_in(_EMPTY.sub("", part["rest"]))
    assert thing.lister is not None, "its caller looked"
    flags = [
        each.name
        for each in thing.lister.parameters
        if each.location == "query" and split_null(each.schema)[0].get("type") == "boolean"
    ]
    for flag in flags:
        if flag.lower() in rest:
            return flag, "not" not in rest
        if flag.lower() in _DONE and rest & _OPEN:
            return flag, False
        if flag.lower() in _OPEN and rest & _DONE:
            return flag, False
    raise UnclearStep(f"by which parameter the list is narrowed in “{words}”")


def _state(words: str, thing: Thing) -> tuple[str, bool] | None:
    """The field that can be changed and its value, of `"…" is not done`."""
    match = _STATE.search(_QUOTED.sub("it", words))
    if match is None:
        return None
    for name, each in thing.changes().items():
        if name.lower() == match["word"].lower() and split_null(each)[0].get("type") == "boolean":
            return name, match["not"] is None
    return None


def _title(words: str) -> str | None:
    match = _QUOTED.search(words)
    return match[1] if match else None
