"""Which operations may refuse what is right in itself, because of how a thing stands that was only just made."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.operations import Operation

OF_STATES = frozenset({"402", "409", "423", "425"})
"""The statuses that are about how things stand."""
_INVALID = frozenset({"400", "422"})
CLAUSE = re.compile(r"[,;:/]|\b(?:or|and)\b|\.\s")
# "not enough funds", "does not run", "empty", "not your turn": so may be what was made a moment ago.
_UNREADY = re.compile(
    r"\b(?:not|n[o']t|cannot|no|nothing|none|yet|empty|insufficient|without|enough|only|must|until|before|un(?:paid|confirmed|verified|published))\b"
    r"|n't\b|\bexceed\w*|\btoo\s+(?:low|small|little|early)\b",
    re.IGNORECASE,
)
# What happens only once something was done before, and what has nothing to do with how a thing stands.
_LATER = re.compile(
    r"\b(?:already|exists?|duplicates?|twice|unique|in use|once|longer|more|left|available|found|such|unknown|any ?more"
    r"|(?:in)?valid(?:ation)?|malformed|schema|format|body|JSON|parsed?|required|missing|supported|allowed|accepted)\b",
    re.IGNORECASE,
)
# "already ordered", and what is said of whatever is made.
_ALREADY = re.compile(r"\balready\s+(?:been\s+|an?\s+|is\s+)?(?P<what>[a-z]+)", re.IGNORECASE)
_BEFORE = re.compile(
    r"\b(?:was|were|is|are|been)\s+(?P<what>[a-z]+(?:ed|en|d|t))\s+(?:before|already|earlier)\b(?!\s+[\w`])"
    r"|\b(?:has|have|had)\s+(?P<done>[a-z]+(?:ed|en|d|t))\s+(?:\w+\s+){0,3}(?:before|already|earlier)\b(?!\s+[\w`])",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"\W*(?:(?:(?:it|this|that|the\s+\w+)\s+)?(?:is\s+)?in\s+)?an?\s+state\s+(?:that|which|in which)\s+"
    r"(?:it|this|that)?\s*(?:(?:does|is)\s+not|doesn[’']t|isn[’']t)\s+(?:permit|allow|possible|allowed)\w*(?:\s+(?:it|this|that))?\W*"
    r"|\W*(?:wrong|invalid|unsuitable)\s+state\W*"
    r"|\W*(?:some\s+|an?\s+|the\s+)?(?:business\s+)?rules?\s+(?:forbids?|prevents?|is\s+against)\s+(?:it|this|that)\W*"
    r"|\W*against\s+(?:an?\s+|the\s+)?(?:business\s+)?rules?(?:\s+or\s+the\s+(?:present|current)\s+state)?\W*"
    r"|\W*(?:conflicts?|in\s+conflict)\s+with\s+the\s+(?:present\s+|current\s+)?state(?:\s+of\s+(?:it|the\s+\w+))?\W*"
    r"|\W*(?:(?:it|this|that)\s+)?(?:(?:is\s+)?(?:not\s+(?:possible|allowed)|impossible)|cannot\s+be\s+done)"
    r"(?:\s+(?:now|yet|currently|at\s+(?:the|this)\s+moment|in\s+this\s+state|as\s+things\s+stand))?\W*",
    re.IGNORECASE,
)
_OF_ANYTHING = frozenset(
    {"exists", "exist", "taken", "there", "in", "used", "known", "present", "registered", "existing", "done"}
)
_TWICE = ("already", "exists", "duplicate", "twice", "taken", "conflict", "unique", "in use", "once")
_STEM = 4
_WITHIN = re.compile(
    r"\b(?:in|within|of|for|on|at|per|by)\s+(?:the|this|that|an?|its|each|one)\b", re.IGNORECASE
)
_TAKEN = re.compile(r"\b([a-z]+)\s+(?:is|are)\s+(?:already\s+)?(?:taken|in use)\b", re.IGNORECASE)
# "three drafts already", "too many options": how many there are, not that there is such a one.
_COUNTED = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|\d+|too many|most|maximum|limit|full)\b",
    re.IGNORECASE,
)
# "must contain at least `n_steps` elements", "have to be as many", "must add up to 1"
_ASKED = re.compile(
    r"\b(?:must|ha(?:s|ve) to|needs? to)\b[^.]*?\b(?:at (?:least|most)|exactly|as (?:many|long)"
    r"|(?:the )?same (?:length|size|number|sum)|equals?|sums?(?: up)? to|adds? up to|match(?:es)?)\b"
    r"(?:\s+(?P<number>\d+))?",
    re.IGNORECASE,
)
# "must already be published, otherwise 400": what was only just made is not. What "must not already" be, it is not.
_STANDING = re.compile(
    r"\b(?:must|ha(?:s|ve) to|needs? to)(?! not| only)\b[^.]*?\b(?:otherwise|or else|else)\b[^.]*?\b4\d\d\b",
    re.IGNORECASE,
)


def unready(operation: Operation) -> str | None:
    """The documented refusal that what was made a moment ago may meet, in the contract's words; None where none is.

    The words of a conflict tell it. Those of 400 and 422 do where the other one is for invalid requests.
    """
    statuses = {answer.status for answer in operation.answers}
    of_states = OF_STATES | (_INVALID if statuses >= _INVALID else set())
    for answer in operation.answers:
        is_vague_one = answer.status == "409" and _VAGUE.fullmatch(answer.words) is not None
        if answer.status in of_states and (tells_a_state(answer.words) or is_vague_one):
            return f"{answer.status} ({answer.words})"
    return None


def is_vague(refusal: str) -> bool:
    """Whether a refusal's words say no more than that something cannot be done as things stand."""
    return _VAGUE.fullmatch(refusal.partition(" (")[2].rstrip(")")) is not None


def makes_first(operation: Operation) -> bool:
    """Whether an operation makes a thing that stands alone: hardly ever does another one keep it from that."""
    made = operation.success is not None and operation.success.status == "201"
    return operation.method == "POST" and "{" not in operation.path and made


def condition_in_words(operation: Operation) -> str | None:
    """The sentence of an operation's description that asks more of a request than its schema can say; else None.

    "The arrays must contain at least `n_steps` elements." A number that is a bound of the schema says nothing further.
    """
    told = " ".join(str(operation.fact.aspects.get("description") or "").split())
    bounds = {str(value) for member in operation.members() for value in _bounds(member.schema)}
    for sentence in re.split(r"(?<=[.!?])\s+", told):
        asked = _ASKED.search(sentence)
        if asked is not None and asked["number"] not in bounds:
            return sentence
        if _STANDING.search(sentence):
            return sentence
    return None


def _bounds(schema: dict[str, Json]) -> Iterator[Json]:
    plain = split_null(schema)[0]
    yield from (each for each in plain.values() if isinstance(each, int | float))


def statuses_of_invalid(operation: Operation) -> list[str]:
    """The documented statuses of requests that are wrong in themselves, the likelier first."""
    found = [each for each in operation.answers if each.status in _INVALID]
    plain = [each for each in found if len(found) < 2 or not tells_a_state(each.words)]
    return sorted((each.status for each in plain), reverse=True)


def tells_of_twice(words: str) -> bool:
    """Whether words say that there is such a thing already: `The username is taken`."""
    told = " ".join(each for each in CLAUSE.split(words) if _COUNTED.search(each) is None)
    return any(each in told.lower() for each in _TWICE) or tells_of_before(told)


def told_unique(operation: Operation) -> str:
    """The one required text of a body of which the words of a conflict say that no two things have it: `this code`.

    Empty where they name none, or several, or what it is unique within.
    """
    words = next((each.words for each in operation.answers if each.status == "409"), "")
    if not tells_of_twice(words):
        return ""
    said = {each.lower().replace("-", "") for each in re.findall(r"[A-Za-z][\w-]*", words)}
    texts = [
        each.name
        for each in operation.members()
        if each.location == "body"
        and each.required
        and len(each.path) == 2
        and (plain := split_null(each.schema)[0]).get("type") == "string"
        and "enum" not in plain
    ]
    named = [name for name in texts if name.lower() in said]
    around = (
        re.sub(rf"\b(?:of|with|by)\s+(?=(?:the|this|that)\s+(?:same\s+)?{named[0]}\b)", "", words)
        if named
        else ""
    )
    if _WITHIN.search(around or words):  # “one of that title” is within nothing.
        return ""
    return named[0] if len(named) == 1 else ""


def tells_of_before(words: str) -> bool:
    """Whether words say that what is asked for was done before: `It was cancelled before`."""
    return _BEFORE.search(words) is not None


def tells_a_state(words: str) -> bool:
    """Whether words say that something may not be as it would have to be."""
    return any(
        _UNREADY.search(clause) is not None and _LATER.search(clause) is None and not tells_of_before(clause)
        for clause in CLAUSE.split(words)
    )


def is_sent(operation: Operation, words: str) -> bool:
    """Whether what is said to be taken may be among what a request sends: not the label where a thing is moved."""
    named = _TAKEN.findall(words)
    if not named or "{" not in operation.path or operation.body is None:
        return True
    sent = "".join(each.name for each in operation.members()).lower().replace("_", "")
    return any(each.lower() in sent or each.lower() in operation.path.lower() for each in named)


def is_its_own_doing(operation: Operation, words: str) -> bool:
    """Whether what is said to have happened already (`already ordered`) is what the operation itself does."""
    match = _BEFORE.search(words) or _ALREADY.search(words)
    what = "" if match is None else (match["what"] or match.groupdict().get("done") or "").lower()
    if match is None or "{" not in operation.path or what in _OF_ANYTHING:
        return True
    ours = (
        f"{operation.path.rstrip('/').rpartition('/')[2]} {operation.fact.aspects.get('operation_id') or ''}"
    )
    return what[:_STEM] in ours.lower()
