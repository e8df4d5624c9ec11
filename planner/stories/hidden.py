"""What criteria say of lists that do not show all: `Drafts do not appear in the list`, `Only open ones are listed`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from planner.contracts.lifecycles import Subject, act_for
from planner.contracts.listed import acts_to_be_listed, listed_subject
from planner.contracts.operations import Operation, State
from planner.contracts.state_words import says
from planner.contracts.things import Thing
from planner.stories.behaviours import Behaviour, facts_of

_NOT = r"(?:do(?:es)? not|don[’']t|doesn[’']t|never|(?:is|are) (?:not|never)|isn[’']t|aren[’']t)"
_HIDDEN = re.compile(
    rf"\b{_NOT}\s+(?:appears?|shown?|listed|show up|part of the list|in the list|included|visible)\b"
    r"|\b(?:is|are)\s+(?:hidden|left out|excluded|omitted)\b",
    re.I,
)
_LACKS = re.compile(
    rf"\b(?:list|overview|catalog(?:ue)?)\b[^.]*"
    rf"\b(?:{_NOT}\s+(?:shows?|contains?|includes?|lists?)|leaves out|hides)\b",
    re.I,
)
_LISTED = re.compile(r"\b(?:list(?:s|ed)?|overview|catalog(?:ue)?|appears?|shown|shows?)\b", re.I)
_ONLY = re.compile(r"\bonly\b", re.I)
_SOMETIMES = re.compile(r"\b(?:to|for|by|own|unless|except|if|when|until|or|can|may)\b", re.I)


def told_of_list(text: str, lister: Operation, operations: Sequence[Operation]) -> tuple[State, bool] | None:
    """The state of which a sentence says that a list does not show it, or (with False) that it shows no other one."""
    if _SOMETIMES.search(text) or not _LISTED.search(text):
        return None
    is_hidden = (_HIDDEN.search(text) or _LACKS.search(text)) is not None
    subject = listed_subject(lister, operations) if is_hidden or _ONLY.search(text) else None
    if subject is None:
        return None
    told = [each for each in subject.states() if _speaks_of(text, each.word, subject.noun)]
    return (told[0], is_hidden) if len(told) == 1 else None


def hidden(text: str, thing: Thing, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """That a new thing, or one that was brought into a state, does not stand in the list, by a sentence."""
    lister = thing.lister
    said = told_of_list(text, lister, operations) if lister is not None else None
    subject = listed_subject(lister, operations) if lister is not None else None
    if lister is None or said is None or subject is None:
        return
    state, is_hidden = said
    acts = acts_to_be_listed(lister, operations)
    if not is_hidden and not acts:
        return
    act = act_for(state, subject, operations) if is_hidden else None
    if is_hidden and act is None and _first(subject, state.field, operations) != state:
        return
    target = {"operation": thing.maker.key, "read": lister.key, "act": act.key if act is not None else ""}
    yield Behaviour("hidden", dict(target), facts_of(thing.maker))


def _first(subject: Subject, field: str, operations: Sequence[Operation]) -> State | None:
    """How a new thing stands in a field: as is told, else in the only state to which no act leads."""
    states = [each for each in subject.states() if each.field == field]
    left = [each for each in states if act_for(each, subject, operations) is None]
    return subject.first(field) or (left[0] if len(left) == 1 else None)


def _speaks_of(text: str, value: str, noun: str) -> bool:
    """Whether a text is about things that stand so, also where it calls them by that word alone: `drafts`."""
    alone = rf"\b(?:the\s+|an?\s+)?{re.escape(value)}s\b"
    return says(text, value, noun) or re.search(alone, text, re.I) is not None
