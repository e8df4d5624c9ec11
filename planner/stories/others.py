"""What is said of callers who ask for the things of others: `A note of somebody else is answered with 404`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from graph.facts import Json
from planner.contracts.entrances import entrance
from planner.contracts.operations import Answer, Operation
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
    return is_about_it and _OTHERS.search(answer.description) is not None and entrance(operations) is not None
