"""What is said of callers who ask for the things of others: `A note of somebody else is answered with 404`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.entrances import entrance
from planner.contracts.lifecycles import subject_of
from planner.contracts.operations import Answer, Operation
from planner.contracts.resources import snake
from planner.contracts.things import Thing
from planner.stories.behaviours import Behaviour, facts_of
from planner.stories.standing import named_in

_OTHERS = re.compile(
    r"\b(?:some|any)(?:body|one) else\b"
    r"|\b(?:an)?other (?:users?|people|persons?|customers?|members?|callers?|accounts?)\b"
    r"|\bnot (?:one[’']?s|your|their|his|her|the (?:caller|user)[’']?s) own\b|\bnot (?:yours|theirs|owned by)\b"
    r"|\b(?:do(?:es)? not|doesn[’']t|don[’']t) belong to\b"
    r"|\b(?:only|not) (?:the|its|their) (?:owner|author|creator)\b|\bnot (?:its|the) (?:owner|author|creator)\b",
    re.I,
)
_OWN_ONLY = re.compile(
    r"\bonly (?:one[’']?s|your|their|his|her|my|its|the (?:caller|user|owner)[’']?s?) own\b"
    r"|\bonly (?:the )?\w+ (?:of|that belong to|owned by) the (?:caller|user|owner)\b",
    re.I,
)
_OWNER = re.compile(r"([a-z]+)(?:_id|_uuid)?")
_REFUSALS = ("401", "403", "404")


def of_others(status: str, text: str, thing: Thing, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """That a caller is refused what another one made, where anybody can become a caller.

    Without a verb it is about reading; one that names an act (`cannot be deleted by others`) is about that.
    """
    if status not in _REFUSALS or not _OTHERS.search(text) or entrance(operations) is None:
        return
    asked = named_in(text, thing, operations) or thing.reader
    if asked is not None and asked.secured and thing.maker.secured and facts_of(asked, status):
        target: dict[str, Json] = {"operation": asked.key, "status": status}
        yield Behaviour("others", target, facts_of(asked, status))


def own_only(text: str, thing: Thing, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """That a list shows a caller what that caller made, and nothing of others."""
    lister = thing.lister
    if lister is None or not _OWN_ONLY.search(text) or entrance(operations) is None:
        return
    if lister.secured and thing.maker.secured:
        yield Behaviour("own", {"operation": lister.key}, facts_of(lister))


def told_others(operation: Operation, answer: Answer, operations: Collection[Operation]) -> bool:
    """Whether the words of an answer say that it is for what somebody else made, and anybody can become a caller."""
    is_about_it = operation.secured and "{" in operation.path and answer.status in _REFUSALS
    if not is_about_it or entrance(operations) is None:
        return False
    return _OTHERS.search(answer.description) is not None or (
        answer.status == "403" and _is_for_its_owner(operation, operations)
    )


def _is_for_its_owner(operation: Operation, operations: Collection[Operation]) -> bool:
    """Whether a description says that only whoever made a thing may do this: `Only its teacher may change a course`.

    Who that is is told by a field that a new thing has without being given it: `teacher_id`.
    """
    subject = subject_of(operation, operations)
    given = (
        split_null(subject.maker.body.schema)[0].get("properties", {})
        if subject and subject.maker.body
        else {}
    )
    shown = subject.maker.shown() if subject is not None and subject.maker.secured else {}
    owners = [match[1] for name in shown if name not in given and (match := _OWNER.fullmatch(snake(name)))]
    said = str(operation.fact.aspects.get("description") or "")
    return any(
        re.search(
            rf"\bonly\s+(?:the|its|their|a\s+\w+[’']s)\s+{re.escape(each)}\b[^.]*\b(?:may|can)\b", said, re.I
        )
        for each in owners
    )
