"""Which of the things that are made a list shows, where it does not show all: those that stand in a certain way.

`List published courses` says that a draft is not among them, so that it has to be published before it is looked for.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from crossval.compare.components import split_null
from planner.contracts.lifecycles import Subject, act_for, acts_before, lifecycle_of
from planner.contracts.operations import Member, Operation, State
from planner.contracts.resources import called
from planner.contracts.state_words import says
from planner.contracts.things import is_single

_SOMETIMES = re.compile(r"\b(?:unless|except|if|by default|or|as well|not)\b", re.IGNORECASE)


def listed_subject(lister: Operation, operations: Collection[Operation]) -> Subject | None:
    """The kind of thing that a list shows, where another operation makes it and paths name single ones."""
    path = lister.path.rstrip("/")
    maker = next((each for each in operations if each.key in (f"POST {path}", f"POST {path}/")), None)
    single = next((each.path.rstrip("/") for each in operations if is_single(each.path, path)), None)
    if lister.method != "GET" or maker is None or single is None:
        return None
    return Subject(called(path).replace("_", ""), single, maker)


def listed_state(lister: Operation, operations: Collection[Operation]) -> State | None:
    """How the things stand that a list shows, by its summary and the words of its answer; None where it shows all.

    What stories tell of it comes first.
    """
    if lister.lists is not None:
        return lister.lists
    subject = listed_subject(lister, operations)
    if subject is None:
        return None
    said = [str(lister.fact.aspects.get("summary") or "")]
    said += [lister.success.words] if lister.success is not None else []
    words = [each for each in said if not _SOMETIMES.search(each)]
    told = [each for each in subject.states() if any(says(text, each.word, subject.noun) for text in words)]
    return told[0] if len(told) == 1 else None


def acts_to_be_listed(lister: Operation, operations: Collection[Operation]) -> list[Operation] | None:
    """The acts after which a new thing stands as those that a list shows; None where nothing tells which these are."""
    subject = listed_subject(lister, operations)
    if subject is None:
        return []
    state = listed_state(lister, operations)
    about = state or lister.hides
    first = subject.first(about.field) if about is not None else None
    if lister.hides is not None and state is None and first in (None, lister.hides):
        others = [
            each for each in subject.states() if each.field == lister.hides.field and each != lister.hides
        ]
        led_to = [each for each in others if act_for(each, subject, operations) is not None]
        state = led_to[0] if len(led_to) == 1 else None
        if state is None:
            return None
    if state is None or state == first:
        return []
    act = act_for(state, subject, operations)
    if act is None:
        return [] if first is None else None
    return [*acts_before(act, operations), act]


def act_to_be_found(
    lister: Operation, member: Member, operations: Collection[Operation]
) -> tuple[State, Operation] | None:
    """The state for which a parameter of a list asks, and the act that brings a new thing into it: `?status=closed`.

    None where the parameter is no such one, or a list does not show all.
    """
    subject = listed_subject(lister, operations)
    is_whole = subject is not None and lister.hides is None and listed_state(lister, operations) is None
    if subject is None or not is_whole or member.location != "query":
        return None
    plain = split_null(member.schema)[0]
    asked = (True, False) if plain.get("type") == "boolean" else plain.get("enum", ())
    for state in subject.states():
        is_asked = state.field == member.name and state.value in asked
        act, first = (act_for(state, subject, operations) if is_asked else None), subject.first(state.field)
        is_taken_at_once = act is not None and lifecycle_of(act, operations).needs in (None, first)
        if act is not None and state != first and is_taken_at_once:
            return state, act
    return None
