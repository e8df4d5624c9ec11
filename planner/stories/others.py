"""What is said of callers who ask for the things of others: `A note of somebody else is answered with 404`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from graph.facts import Json
from planner.contracts.entrances import entrance
from planner.contracts.lifecycles import subject_of
from planner.contracts.operations import Answer, Operation
from planner.contracts.parties import is_for_the_other, owners, told_own
from planner.contracts.prerequisites import verb_of
from planner.contracts.resources import called
from planner.contracts.things import Thing
from planner.contracts.verbs import stem
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
_REFUSALS = ("401", "403", "404")
_NOBODY = re.compile(
    r"\b(?:nobody|no one|no [a-z]+|[a-z]+ (?:can ?not|can[’']t|may not|must not))\s+"
    r"(?:can\s+|may\s+)?(?P<doing>[a-z]+\b.*?)\b(?:one[’']?s|your|their|his|her) own\b",
    re.I,
)


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


def own_refused(text: str, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """That nobody may do with their own things what others may: `Nobody can make an offer for their own listing`."""
    match = _NOBODY.search(text)
    noun = told_own(text)
    if match is None or not noun:
        return
    said = {word.lower() for word in re.findall(r"[A-Za-z]+", match["doing"])}
    found = []
    for each in operations:
        subject = subject_of(each, operations) if each.method == "POST" else None
        is_it = subject is not None and subject.noun == noun
        if is_it and each.secured and {called(each.path), stem(verb_of(each))} & {*said, *map(stem, said)}:
            found.append(each)
    status = re.search(r"\b4\d\d\b", text)
    statuses = {answer.status for answer in found[0].answers} if len(found) == 1 else set()
    told = status[0] if status is not None else "403"
    if told in statuses:
        target: dict[str, Json] = {"operation": found[0].key, "status": told}
        yield Behaviour("not-own", target, facts_of(found[0], told))


def told_others(operation: Operation, answer: Answer, operations: Collection[Operation]) -> bool:
    """Whether the words of an answer say that it is for what somebody else made, and anybody can become a caller."""
    is_about_it = operation.secured and "{" in operation.path and answer.status in _REFUSALS
    if not is_about_it or entrance(operations) is None:
        return False
    if is_for_the_other(operation, operations):
        return answer.status == "403"  # Of the two callers it is whoever made what the request is for.
    return _OTHERS.search(answer.words) is not None or (
        answer.status == "403" and _is_for_its_owner(operation, answer, operations)
    )


def _is_for_its_owner(operation: Operation, answer: Answer, operations: Collection[Operation]) -> bool:
    """Whether words say that only whoever made a thing may do this: `Only its teacher may change a course`.

    Who that is is told by a field that a new thing has without being given it: `teacher_id`.
    """
    subject = subject_of(operation, operations)
    if subject is None or not subject.maker.secured:
        return False
    said = str(operation.fact.aspects.get("description") or "")
    for each in owners(subject):
        whose = rf"\bonly\s+(?:the|its|their|a\s+\w+[’']s)\s+{re.escape(each)}\b"
        if re.search(rf"{whose}[^.]*\b(?:may|can)\b", said, re.I) or re.search(whose, answer.words, re.I):
            return True
    return False
