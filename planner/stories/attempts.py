"""What nobody can do with a thing: twice, or as it stands (`Nobody can enrol in a draft`, `a second review of it`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graph.facts import Json
from planner.contracts.lifecycles import act_for, acts_before, lifecycle_of, subject_of
from planner.contracts.operations import Operation, State
from planner.contracts.prerequisites import done_before, only_done, verb_of
from planner.contracts.resources import called, singular
from planner.contracts.state_words import says
from planner.contracts.states import OF_STATES
from planner.contracts.verbs import stem
from planner.stories.behaviours import Behaviour, facts_of
from planner.stories.standing import of_act

_NOBODY = re.compile(
    r"\b(?:nobody|no one|no [a-z]+)\s+(?:can|may)\s+(?P<doing>[a-z]+)\b(?P<rest>.*)"
    r"|\b(?:one|you|we|an?\s+[a-z]+|[a-z]+s)\s+(?:can ?not|can[’']t|may not|must not)\s+(?P<done>(?!be\b)[a-z]+)\b"
    r"(?P<other>.*)",
    re.I,
)
_SECOND = re.compile(r"\b(?:an?|the)\s+second\s+(?P<what>[a-z]+)\b.*\bsame\b", re.I)
_TWICE = re.compile(r"\b(?:twice|again|a second time|more than once)\b", re.I)
_SOMETIMES = re.compile(
    r"\b(?:unless|except|until|without|if|when|more than(?! once)|other than|before|after)\b", re.I
)
_STATUS = re.compile(r"\b(4\d\d)\b")


def attempts(text: str, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """That a request is refused which was done before, which is for a thing as it stands, or before something is done.

    Nothing where it is not clear which.
    """
    for each in only_then_done(text, operations):
        known = done_before(each, operations)
        if known is not None:
            target: dict[str, Json] = {"operation": each.key, "status": known[1].status}
            yield Behaviour("missing", target, facts_of(each, known[1].status))
    if (said := _refused_attempt(text)) is None:
        return
    word, rest = said
    found = [each for each in operations if _does(each, word, operations)]
    operation = found[0] if len(found) == 1 else None
    status = _status(text, operation) if operation is not None else ""
    if operation is None or not status:
        return
    if _TWICE.search(rest):
        yield Behaviour("again", {"operation": operation.key, "status": status}, facts_of(operation, status))
        return
    yield from _as_it_stands(rest, operation, status, operations)


def _refused_attempt(text: str) -> tuple[str, str] | None:
    """What a text says cannot be done, in one word, and what it says of that; None where it is so only sometimes."""
    if _SOMETIMES.search(text):
        return None
    if second := _SECOND.search(text):
        return second["what"].lower(), "twice"
    match = _NOBODY.search(text)
    return ((match["doing"] or match["done"]).lower(), match["rest"] or match["other"]) if match else None


def only_then_done(text: str, operations: Sequence[Operation]) -> list[Operation]:
    """The operation of which a text says that only those may do it who have done something before."""
    said = only_done(text)
    found = [each for each in operations if _does(each, said[1], operations)] if said is not None else []
    return found if len(found) == 1 else []


def _as_it_stands(
    rest: str, operation: Operation, status: str, operations: Sequence[Operation]
) -> Iterator[Behaviour]:
    """That an operation refuses a thing in the state of which words speak."""
    subject = subject_of(operation, operations)
    states = (
        [each for each in subject.states() if _named(rest, each, subject.noun)] if subject is not None else []
    )
    if subject is None or len(states) != 1:
        return
    state, act = states[0], act_for(states[0], subject, operations)
    needs = lifecycle_of(operation, operations).needs
    if act is None and needs is not None and needs != state and acts_before(operation, operations):
        state = needs  # As it is made it stands otherwise.
    elif act is None:
        return
    yield of_act(operation, subject.maker.key, state, status, act.key if act is not None else "")


def _does(operation: Operation, word: str, operations: Sequence[Operation]) -> bool:
    """Whether a POST within a thing is what a verb or a noun names: by its path, or the first word of its name."""
    if operation.method != "POST" or subject_of(operation, operations) is None:
        return False
    first = verb_of(operation)
    return singular(word) == called(operation.path) or (len(first) > 2 and stem(word) == stem(first))


def _named(text: str, state: State, noun: str) -> bool:
    """Whether words are about things that stand so, also where these are called by that alone: `in a draft`."""
    return (
        says(text, state.word, noun)
        or re.search(rf"\b(?:an?|the)\s+{re.escape(state.word)}\b(?!\s+[a-z])", text, re.I) is not None
    )


def _status(text: str, operation: Operation) -> str:
    """The documented conflict that a text tells, else the only one; empty where that is not sure."""
    said = _STATUS.findall(text)
    found = [each.status for each in operation.answers if each.status in {*OF_STATES, "403", "422", "400"}]
    told = [each for each in found if each in said] if said else [each for each in found if each in OF_STATES]
    return told[0] if len(told) == 1 else ""
