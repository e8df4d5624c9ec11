"""What the Then of a scenario in people's own words says of an answer: its status, a field, how many of something."""

from __future__ import annotations

import re

import msgspec

from planner.contracts.codes import codes_in, without_codes
from planner.contracts.operations import Operation

_VALUE = r"(?P<value>[\"“'].+[\"”']|\d{4}-\d\d-\d\d|-?\d+(?:\.\d+)?"
_ANSWER = r"(?:it|this|that|the (?:request|answer|response|call|operation)|I|we)"
_STATUS = re.compile(
    rf"{_ANSWER} (?:is|was|am|are|should be|gets?) "
    r"(?:answered|rejected|refused|told)(?: with)?(?: (?:the )?status)? (?P<status>[2-5]\d\d)"
    r"|the (?:(?:response|answer|http) )?status(?: code)? (?:is|should be) (?P<code>[2-5]\d\d)"
    r"|the (?:response|answer) (?:has|should have) (?:the )?status(?: code)?(?: of)? (?P<had>[2-5]\d\d)"
    r"|the (?:response|answer) (?:is|should be) (?:an? )?(?P<plain>[2-5]\d\d)"
    r"|(?:I|we|the (?:client|user|caller)) (?:should )?(?:gets?|receives?|sees?) (?:back )?(?:an? )?"
    r"(?:(?:error|status|code|response|answer)(?: of)? )?(?P<got>[2-5]\d\d)(?: (?:error|status|response|answer))?",
    re.I,
)
_REFUSED = re.compile(
    r"(?:it|this|that|the \w+) (?:is|was|should be) (?:rejected|refused|not allowed|denied)", re.I
)
_TAKEN = re.compile(
    r"(?:it|this|that|the \w+) (?:is|was|should be) (?:accepted|successful|allowed|confirmed)"
    r"|(?:it|this|that|the \w+) (?:succeeds|should succeed|works)",
    re.I,
)
_ASKED = re.compile(
    r"(?:asking for|reading|getting|looking for|requesting) (?:it|the \w+)(?: again)? is (?:answered|refused) with "
    r"(?P<status>[2-5]\d\d)",
    re.I,
)
_TOLD = re.compile(
    r"(?:I|we|the \w+) (?:am|are|is|was|should be) (?:told|informed|warned)(?: that)? (?P<words>.+)"
    r"|(?:it|this|that) (?:is|was|should be) (?:refused|rejected)(?::| because| since| as) (?P<why>.+)",
    re.I,
)
_INVALID = re.compile(
    r"(?:it|this|that|the \w+) (?:is|was|should be|are) (?:rejected|refused) "
    r"(?:as|for being|because it is) (?:invalid|not valid)"
)
_NAMED_SO = re.compile(
    r"(?:I|we|he|she|they|it|this|that|the \w+) (?:am|are|is|was|should be|fails?|gets?)"
    r"(?: (?:told|answered|refused|rejected|denied))?(?: with| by| as)? (?:(?:that )?(?:it|this)(?:['’]s| is) )?"
    r"(?P<name>(?:an? )?(?:conflict|forbidden|not found|unauthorized|unauthenticated|gone))",
    re.I,
)
_BEHIND = re.compile(r"\b([45]\d\d) [\"“][\w-]+[\"”]$")
_GONE = re.compile(
    r"(?:it|the (?P<owner>\w+)) (?:is|are|was) (?:not found|gone|no longer (?:found|there)|not there)"
    r"(?: any ?more| from now on| now)?",
    re.I,
)
_USUAL = {
    **{"conflict": "409", "forbidden": "403", "not allowed": "403", "not found": "404", "gone": "410"},
    **{"unauthorized": "401", "unauthenticated": "401"},
}
_CODED = re.compile(
    r"(?:I|we|he|she|they|it|this|that|the \w+) (?:am|are|is|was|should be|fails?|failed|should fail)"
    r"(?: (?:told|answered|refused|rejected|given))?(?: with| by| as)?(?: the)?"
    r"(?: error)?(?: code)?"
    r" [`\"“]?(?P<code>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:_[a-z0-9]+)+|(?<=code )[A-Z]{3,})[`\"”]?",
)
_SHOWN = re.compile(
    r"(?:(?:the|its|his|her|my|their) )?(?:(?P<owner>\w+)(?:'s|’s) )?`?(?P<field>[\w ]+?)`? "
    rf"(?:is|are|should be|becomes|equals|will be)(?: now| still| then)?(?: an?)? {_VALUE}|[\w-]+)",
    re.I,
)
_HAS = re.compile(
    rf"(?:the (?P<owner>\w+)|it) (?:has|should have)(?: now| still)? an? (?P<field>[\w ]+?) of {_VALUE})",
    re.I,
)
_COUNTED = re.compile(
    r"(?:(?:the|my|our|his|her|their) (?P<owner>\w+)|it) (?:has|have|contains?|holds?|should (?:have|contain|hold))"
    r"(?: now| still)? (?P<count>no|one|\d+) (?:more )?(?P<field>[\w ]+?)",
    re.I,
)
_EMPTY = re.compile(
    r"(?:(?:the|my|our|his|her|their) (?P<owner>\w+)|it) (?:is|should be)(?: now| still)? empty", re.I
)
_OWNED = re.compile(r"(?P<field>[\w ]+?) of (?:the|my|our|his|her|their) (?P<owner>\w+)", re.I)
_NUMBERS = {"no": 0, "one": 1}
_WORD = re.compile(r"[a-z0-9]+")
_OF_NO_WEIGHT = frozenset({"a", "an", "the", "this", "that", "there", "is", "are", "was"})


class Expected(msgspec.Struct, frozen=True):
    """What one step says; `how` is `read`, `status`, `refused`, `invalid`, `taken`, `words`, `shown` or `counted`.

    `owner` and `field` are the words that name a thing and a field of it; `value` is a field's value as it is written.
    """

    how: str
    status: str = ""
    words: str = ""
    owner: str = ""
    field: str = ""
    value: str = ""
    count: int = 0


def expected_in(step: str) -> Expected | None:
    """What a step says of an answer; None where it says nothing that can be seen."""
    if match := _ASKED.fullmatch(step):
        return Expected("read", status=match["status"])
    step = _BEHIND.sub(r"\1", without_codes(step))
    if match := _GONE.fullmatch(step):
        return Expected("read", status="404", owner=_lower(match["owner"]))
    if _INVALID.fullmatch(step):
        return Expected("invalid")
    if match := _NAMED_SO.fullmatch(step):
        return Expected("words", words=match["name"])
    if match := _CODED.fullmatch(step):
        return Expected("words", words=match["code"])
    if match := _STATUS.fullmatch(step):
        return Expected("status", status=next(each for each in match.groups() if each))
    if _REFUSED.fullmatch(step):
        return Expected("refused")
    if _TAKEN.fullmatch(step):
        return Expected("taken")
    if match := _TOLD.fullmatch(step):
        return Expected("words", words=match["words"] or match["why"])
    if match := _EMPTY.fullmatch(step):
        return Expected("counted", owner=_lower(match["owner"]))
    if match := _COUNTED.fullmatch(step):
        count = _NUMBERS.get(match["count"].lower())
        many = int(match["count"]) if count is None else count
        return Expected("counted", owner=_lower(match["owner"]), field=match["field"], count=many)
    if match := _SHOWN.fullmatch(step) or _HAS.fullmatch(step):
        owned = None if match["owner"] else _OWNED.fullmatch(match["field"])
        field, owner = (owned["field"], owned["owner"]) if owned else (match["field"], match["owner"])
        return Expected("shown", owner=_lower(owner), field=field, value=match["value"])
    return None


def _lower(word: str | None) -> str:
    return (word or "").lower()


def status_told(words: str, operation: Operation) -> str:
    """The status of the one refusal that words tell, by its description, its code or its usual name; else empty."""
    return _of_words(words, operation) or _of_code(words, operation) or _of_name(words, operation)


def _of_name(words: str, operation: Operation) -> str:
    """The status that is called so in general: `a conflict` is 409."""
    status = _USUAL.get(re.sub(r"^(?:an?|being|as)\s+", "", words.strip().lower()), "")
    return status if any(each.status == status for each in operation.answers) else ""


def _of_words(words: str, operation: Operation) -> str:
    """The status of the one refusal that a contract describes in these words; empty where there is none."""
    told = _weighty(words)
    found = [
        answer.status
        for answer in operation.answers
        if answer.status.startswith("4") and told and _weighty(answer.words) == told
    ]
    return found[0] if len(found) == 1 else ""


def _of_code(code: str, operation: Operation) -> str:
    """The status of the one refusal of which a contract says that it has a code; empty where there is none."""
    bare = code.strip("`\"“”' ")
    found = [each.status for each in operation.answers if bare in codes_in(each.description)]
    return found[0] if len(found) == 1 else ""


def _weighty(words: str) -> frozenset[str]:
    return frozenset(_WORD.findall(words.lower())) - _OF_NO_WEIGHT
