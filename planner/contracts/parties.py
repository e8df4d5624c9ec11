"""Who of two callers may do what: nobody bids for what is their own, and whoever offers it accepts what others bid.

`One's own listing` says so of the 403 of `POST /listings/{id}/offers`, `Only the seller accepts` of the offer's acts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from crossval.compare.components import split_null
from planner.contracts.lifecycles import Subject, acts_before, subject_of
from planner.contracts.operations import Answer, Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import maker_of, singular, snake
from planner.contracts.state_words import word_of

_ABSENT = ("404", "410")
_REFUSALS = frozenset({"400", "403", "409", "422"})
_OWN = re.compile(
    r"(?<!not )(?<!only )\b(?:one[’']?s|your|their|his|her|its|my|the (?:caller|user)[’']?s) own\s+(?P<what>[a-z]+)",
    re.I,
)
_ANSWERS = frozenset({"accept", "approve", "confirm", "decline", "reject", "deny", "refuse"})
_OWNER = re.compile(r"([a-z]+)(?:_id|_uuid|_name)?")


def told_own(text: str) -> str:
    """What a text speaks of as a caller's own, in the singular: `listing`; else empty."""
    match = _OWN.search(text)
    return singular(match["what"].lower()) if match is not None else ""


def hides_from_others(operation: Operation, operations: Collection[Operation]) -> bool:
    """Whether what was only just made is not there for others, by the words of a refusal: `No such poll, or a draft of
    somebody else`, for an operation that is asked of a draft."""
    subject = subject_of(operation, operations)
    if subject is None:
        return False
    for state in subject.states():
        whose = rf"\b{word_of(state.word)}\s+(?:of|by|from)\s+(?:an\s?other|somebody|someone|other)"
        if any(each.status in _ABSENT and re.search(whose, each.words, re.I) for each in operation.answers):
            return subject.first(state.field) == state and not acts_before(operation, operations)
    return False


def not_own(operation: Operation, operations: Collection[Operation]) -> Answer | None:
    """The answer to a request for what its caller made itself, where only others may do that; else None."""
    subject = subject_of(operation, operations)
    if operation.method != "POST" or not operation.secured or subject is None or not subject.maker.secured:
        return None
    for answer in operation.answers:
        is_told = answer.status == operation.foreign or told_own(answer.words) == subject.noun
        if answer.status in _REFUSALS and is_told:
            return answer
    return None


def offered_within(operation: Operation, operations: Collection[Operation]) -> Iterator[Operation]:
    """What makes the things that a path names, of those that nobody makes within what is their own."""
    for name in PARAMETER.findall(operation.path):
        found = maker_of(operation.path, name, operations)
        if found is not None and not_own(found[0], operations) is not None:
            yield found[0]


def is_for_the_other(operation: Operation, operations: Collection[Operation]) -> bool:
    """Whether an operation on what somebody made within another's thing is for the owner of that: to accept an offer.

    The words tell it by the field that shows the owner (`seller`), else the verb does.
    """
    subject = subject_of(operation, operations)
    around = subject_of(subject.maker, operations) if subject is not None else None
    if subject is None or around is None or not_own(subject.maker, operations) is None:
        return False
    words = " ".join(
        [
            *(each.words for each in operation.answers if each.status == "403"),
            str(operation.fact.aspects.get("description") or ""),
        ]
    )
    for each, is_other in ((around, True), (subject, False)):
        if any(re.search(rf"\b(?:only|not)\s+(?:the|its)\s+{name}\b", words, re.I) for name in owners(each)):
            return is_other
    return operation.path.rstrip("/").rpartition("/")[2].lower() in _ANSWERS


def owners(subject: Subject) -> list[str]:
    """The fields that show who made a thing, as words may call them: a new thing has them without being given them."""
    body = subject.maker.body
    given = split_null(body.schema)[0].get("properties", {}) if body is not None else {}
    names = [name for name in subject.maker.shown() if name not in given]
    return [match[1] for name in names if (match := _OWNER.fullmatch(snake(name))) and match[1] != "id"]
