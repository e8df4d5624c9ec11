"""What a caller has to have done with a thing before another request for it is taken: to enrol before one reviews.

`Only those who are enrolled may review a course` says so of the 403 of `POST /courses/{id}/reviews`.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from planner.contracts.lifecycles import subject_of
from planner.contracts.operations import Answer, Operation
from planner.contracts.verbs import stem

_REFUSALS = frozenset({"403", "409"})
_ONLY_DONE = re.compile(
    r"\bonly\s+(?:(?:those|people|anybody|[a-z]+s)\s+)?(?:(?:who|that)\s+)?(?:are\s+|have\s+|has\s+|is\s+)?"
    r"(?P<done>[a-z]+(?:ed|en|ght|id))\b[^.]*\b(?:may|can)\s+(?P<doing>[a-z]+)",
    re.I,
)
_CALLER = (
    r"(?:you|(?:the |a )?"
    r"(?:user|caller|customer|member|student|client|person|reader|buyer|guest|player|employee))"
)
_NOT_DONE = re.compile(
    rf"\b{_CALLER}\s+(?:is|are|has|have)(?:\s+not|n[’']t)\s+(?:yet\s+)?(?P<done>[a-z]+(?:ed|en|ght|id))\b",
    re.I,
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|[_\W]")


def done_before(operation: Operation, operations: Collection[Operation]) -> tuple[Operation, Answer] | None:
    """The POST that its caller has to have made for the same thing, and the answer of whoever has not; else None."""
    subject = subject_of(operation, operations) if operation.method == "POST" else None
    if subject is None:
        return None
    for answer in operation.answers:
        told = answer.words if answer.status in _REFUSALS else ""
        match = _ONLY_DONE.search(told) or _NOT_DONE.search(told)
        found = done_by(match["done"], operation, operations) if match is not None else None
        if found is not None:
            return found, answer
    after = next((each for each in operations if each.key == operation.after), None)
    refusal = next((each for each in operation.answers if each.status == "403"), None)
    return (after, refusal) if after is not None and refusal is not None else None


def done_by(done: str, operation: Operation, operations: Collection[Operation]) -> Operation | None:
    """The one other POST for the same thing by which something is done that a participle names: `enrolled`."""
    subject = subject_of(operation, operations)
    if subject is None:
        return None
    found = [
        each
        for each in operations
        if each.method == "POST"
        and each.key != operation.key
        and each.success is not None
        and each.path.startswith(f"{subject.single}/")
        and stem(verb_of(each)) == stem(done.lower())
    ]
    return found[0] if len(found) == 1 else None


def only_done(text: str) -> tuple[str, str] | None:
    """What a text says has to be done before, and what may be done only then, each in one word."""
    match = _ONLY_DONE.search(text)
    return (match["done"].lower(), match["doing"].lower()) if match is not None else None


def verb_of(operation: Operation) -> str:
    """The first word of what a contract calls an operation (`reviewCourse`), in small letters."""
    return _CAMEL.split(str(operation.fact.aspects.get("operation_id") or ""))[0].lower()
