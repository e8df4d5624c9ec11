"""What sentences say is refused for the sake of other things, where the contract's words say so as well."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crossval.compare.claims import words
from graph.facts import Json
from planner.contracts.conflicts import exceeding_of, holding_of, is_told_of, lacking_of, not_zero_of
from planner.contracts.operations import Answer, Operation
from planner.contracts.resources import called, singular
from planner.contracts.things import Thing
from planner.contracts.verbs import stem
from planner.stories.behaviours import Behaviour, facts_of
from planner.stories.standing import done_in, named

_STATUS = re.compile(r"\b(4\d\d)\b")
_MORE = re.compile(
    r"\bmore\s+than\s+(?:what\s+is\s+|is\s+|the\s+)?[\w ]+?\s+(?:can ?not|can[’']t|may not|must not)\s+be\s+"
    r"(?P<done>[a-z]+)"
    r"|\b(?:nobody|no one)\s+(?:can|may)\s+(?P<nobody>[a-z]+)\s+more\s+than\b"
    r"|\b(?:can ?not|can[’']t|may not|must not)\s+(?P<doing>[a-z]+)\s+more\s+than\b",
    re.I,
)
_IS_ZERO = re.compile(r"\bonly\b.*\b(?:is|are)\s+(?:zero|0|empty)\b|\bnot\s+(?:zero|0|empty)\b", re.I)
_ONLY_DONE = re.compile(r"^only\b.*\b(?:can|may)\s+be\s+(?P<done>[a-z]+)", re.I)
_TO_UNKNOWN = re.compile(
    r"\W*(?:(?P<doing>[a-z]+ing)|to\s+(?P<verb>[a-z]+))\s+(?:an?\s+)?(?:unknown|missing|non-?existent)\b",
    re.I,
)
_EXISTING = re.compile(
    r"\b([a-z]+)\s+(?:that|which)\s+(?:exists|does not exist|doesn[’']t exist)\b"
    r"|\b(?:unknown|existing|no such)\s+([a-z]+)",
    re.I,
)


def kept_from(text: str, thing: Thing, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """What a sentence says is refused because of what else is there, too little there, or not there at all.

    `A warehouse with products in it cannot be removed`, `More than what is available cannot be reserved`.
    """
    for operation in (thing.maker, _refusing(text, thing, operations)):
        for answer in operation.answers if operation is not None else ():
            assert operation is not None, "its answers were looked at"
            said = _STATUS.search(text)
            is_said = said is None or said[1] == answer.status
            if is_said and _is_told(text, operation, answer, operations):
                target: dict[str, Json] = {"operation": operation.key, "status": answer.status}
                yield Behaviour("missing", target, facts_of(operation, answer.status))


def _refusing(text: str, thing: Thing, operations: Sequence[Operation]) -> Operation | None:
    """The operation that a text says is refused."""
    operation, is_refused = done_in(text, thing, operations)
    if operation is not None and is_refused:
        return operation
    if (only := _ONLY_DONE.search(text)) is not None:
        return named(only["done"].lower(), thing, operations)
    match = _MORE.search(text)
    done = (match["done"] or match["nobody"] or match["doing"]).lower() if match is not None else ""
    found = [each for each in operations if done and stem(done) == stem(_last(each))]
    if not found and (asked := _TO_UNKNOWN.match(text)) is not None:
        verb = stem((asked["doing"] or asked["verb"]).lower())
        found = [each for each in operations if each.method == "POST" and verb in map(stem, _verbs(each))]
    return found[0] if len(found) == 1 else None


def _verbs(operation: Operation) -> set[str]:
    """The verbs by which an operation is known: those with which its summary and its id begin."""
    told = (words(str(operation.fact.aspects.get(name) or "")) for name in ("summary", "operation_id"))
    return {each[0] for each in told if each}


def _is_told(text: str, operation: Operation, answer: Answer, operations: Sequence[Operation]) -> bool:
    """Whether a text says that an operation is refused for the reason that the words of an answer tell."""
    existing = _EXISTING.search(text)
    lacking = lacking_of(operation, answer, operations) if existing is not None else None
    if existing is not None and lacking is not None:
        return called(lacking[1].path) in (singular(each.lower()) for each in existing.groups() if each)
    zero = not_zero_of(operation, answer, operations)
    if zero is not None and _IS_ZERO.search(text):
        return re.search(rf"\b{re.escape(zero)}\b", text, re.I) is not None
    held = holding_of(operation, answer, operations)
    if held is not None:
        return is_told_of(held, text)
    return _MORE.search(text) is not None and exceeding_of(operation, answer, operations) is not None


def _last(operation: Operation) -> str:
    """What an operation is called in one word; empty where it is in several."""
    name = str(operation.fact.aspects.get("operation_id") or "")
    return name if name.isalpha() and name.islower() else ""
