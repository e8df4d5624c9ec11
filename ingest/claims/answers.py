"""Claims of answers: statuses of HTTP, and exceptions that are raised."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.patterns import pattern
from ingest.claims.cases import is_circumstance
from ingest.claims.claim import Claim, Claimed
from ingest.claims.deeds import thing_of_deed
from ingest.claims.elsewhere import is_another_party
from ingest.claims.sentences import Sentence
from ingest.claims.shapes import too_much
from ingest.claims.statuses import PHRASES, STATUSES
from ingest.claims.subjects import MODAL, described, force, subject

_REASONS = "|".join(re.escape(phrase).replace(r"\ ", "[ _]") for phrase in PHRASES)
_CODE = r"(?P<status>[1-5]\d\d)(?![\d.,]\d|\w|%)"
_KIND = r"(?:(?:an?|the)\s+)?(?:HTTP(?:/1\.1)?\s+)?(?:(?:status|response|error)\s+)?(?:code\s+)?(?:of\s+)?"
_AFTER = (
    rf"(?:\s+\(?(?:{_REASONS})\)?)?(?:\s+(?:status(?: code)?|errors?|response|answer|code|HTTP error)\b)?"
    rf"(?P<more>(?:\s*,?\s*(?:or|and)\s+(?:an?\s+)?(?:HTTP\s+)?[1-5]\d\d\b(?:\s+\(?(?:{_REASONS})\)?)?)*)"
)
_ENDS = r"(?=\s*(?:$|[,.;:)]|(?:if|when|for|unless|on|with|and|or|in|because|instead|without|to|but|by)\b))"
_ANSWERS = (
    r"(?:returns?|responds?\s+with|answers?(?:\s+with)?|answered\s+with|rejected\s+with|refused\s+with"
    r"|replies\s+with"
    r"|reply\s+with|fails?\s+with|gets?|receives?|gives?|denied\s+with|results?\s+in|yields?|respond\s+with)"
)
_ADVERB = r"(?:still|also|then|always|only|again|\w+ly)"
_ACTIVE = pattern(
    rf"^(?P<before>.*?)(?P<verb>(?:\b{MODAL}\s+(?:not\s+|never\s+|be\s+|{_ADVERB}\s+)*|\b(?:does|do)\s+not\s+|\bnever\s+)?"
    rf"(?:\b(?:is|are|be)\s+)?\b{_ANSWERS})\s+{_KIND}`?{_CODE}`?{_AFTER}{_ENDS}(?P<rest>.*)$",
    re.IGNORECASE,
    only_with=r"[1-5]\d\d",
)
_PASSIVE = pattern(
    rf"^{_KIND}{_CODE}{_AFTER}\s+(?P<verb>(?:is|are|{MODAL}(?:\s+not)?\s+be)\s+(?:returned|sent|answered"
    rf"|given|raised))\b(?P<rest>.*)$",
    re.IGNORECASE,
    only_with=r"[1-5]\d\d",
)
_STATE = pattern(
    rf"^(?P<before>.*?)\b(?:HTTP\s+)?(?:(?:response|status)\s+(?:status\s+)?code|status)"
    rf"\s+(?:of the response\s+)?"
    rf"(?P<verb>is|equals|{MODAL}(?:\s+not)?\s+(?:be|equal))\s+{_KIND}{_CODE}{_AFTER}{_ENDS}(?P<rest>.*)$",
    re.IGNORECASE,
    only_with=r"[1-5]\d\d",
)
# "The response is HTTP 200", "has status 404": a number that HTTP or a status is said of.
_RESPONSE_IS = pattern(
    rf"^(?P<before>(?:the\s+)?(?:HTTP\s+)?(?:response|answer|reply))\s+(?P<verb>is|has|{MODAL}(?:\s+not)?\s+(?:be|have))"
    rf"\s+(?:still\s+|then\s+)?(?:an?\s+|the\s+)?(?:HTTP(?:/1\.1)?(?:\s+status)?|status)(?:\s+code)?(?:\s+of)?\s+"
    rf"`?{_CODE}`?{_AFTER}{_ENDS}(?P<rest>.*)$",
    re.IGNORECASE,
    only_with=r"[1-5]\d\d",
)
_RESPONSE = pattern(r"\bresponse\s+(?:status\s+)?code\b|\bresponse\s+status\b", re.IGNORECASE)
_EXCEPTION = (
    r"(?::\w+:)?`?~?(?P<name>(?:[A-Za-z_]\w*\.)*(?:[A-Z][a-z0-9]+(?:[A-Z]\w*)?|[A-Z]+[A-Z][a-z]\w*))"
    r"(?:\(\))?`?(?![\w'’])"
)
_RAISED = pattern(
    rf"^(?P<before>.*?)(?P<verb>(?:\b(?i:{MODAL})\s+(?:(?i:not|never)\s+|{_ADVERB}\s+)?|\b(?:does|do)\s+not\s+|\bnever"
    rf"\s+)?(?<!-)\b(?:raises?|throws?|fails?\s+with))"
    rf"\s+(?:an?\s+|the\s+)?{_EXCEPTION}(?P<rest>.*)$",
    only_with="raise|throw|fail",
)
_RAISED_SMALL = pattern(r"^(?:Raises?|Throws?|Fails?|Never|Does|May|Must|Can|Will|Should)\b")
_RAISED_PASSIVE = pattern(
    rf"^(?:[Aa]n?\s+|[Tt]he\s+)?{_EXCEPTION}(?:\s+(?:error|exception))?\s+(?P<verb>(?:is|(?i:{MODAL})(?:\s+(?i:not))?"
    rf"\s+be)\s+(?:raised|thrown))\b(?P<rest>.*)$",
    only_with="raised|thrown",
)
_FURTHER = pattern(rf"^\s*(?:,|or|and|,\s*or)\s+(?:an?\s+)?{_EXCEPTION}(?P<rest>.*)$")
_ERROR_NAME = pattern(
    r"(?:Error|Exception|Warning|Exit|Interrupt|Iteration|Fault|Failure|Timeout)$|^[A-Z][a-z0-9]+[A-Z]"
)
# "A PanGBank exception" is any one of that product, where nothing in the name says what went wrong.
_A_KIND_OF = pattern(r"\s+(?:errors?|exceptions?)\b")
_WENT_WRONG = pattern(
    r"(?:Error|Exception|Warning|Exit|Interrupt|Iteration|Fault|Failure|Timeout|Found|Exists?|Denied|Refused|Failed|Expired"
    r"|Exceeded|Required|Missing)$|^(?:Unknown|Invalid|Non?[A-Z]|Not|Missing|Bad|Un[a-z]|Duplicate|Already|Too|Cannot|Can|Could|Empty"
    r"|OutOf|Wrong|Illegal|Conflict|Permission|Validation)|[a-z](?:Not|Too|Already|Invalid|Unknown|Missing)[A-Z]"
)
# "raise `ShelfError`" alone is program text, or a heading about it.
_PROGRAM = pattern(r"(?:raise|throw)\s(?!.*[.]$)")
_YOURS = pattern(r"\s*(?:your|my)\b", re.IGNORECASE)
_IMPLIED = pattern(
    r"(?:it|this|and|also|\w+ly)(?: (?:function|method|call|property|operation|class|command))?",
    re.IGNORECASE,
)
_WHOEVER = pattern(
    rf"(?:(?:and|then|that|{_ADVERB})\s+)*(?:I|we|you|it|this(?: [\w-]+)?|the default implementation"
    rf"|{_ADVERB})?(?:\s+{_ADVERB})*",
    re.IGNORECASE,
)
# What an answer or an error tells does not narrow when it comes.
_MESSAGE = pattern(
    r"^\s*to the (?:client|caller|browser|requester)(?=\s*$)"
    r"|^\s*with (?:an? |the )?(?:(?!in|no|un|mis|mal|bad|wrong|empty|expired|too)[\w-]+ ){0,3}"
    r"(?:messages?|messaging|explanations?|descriptions?|reasons?|details|errors?|headers|body|payload)"
    r"(?:\s+`[^`]*`)?(?=\s*$)"
    r"|^\s*with (?:an? |the )?`(?:\{[^`]*\}|[\w.-]+: [^`]*)`(?=\s*$)"
    r"|^\s*(?:with|and) (?:the|an?) (?:(?:newly )?(?:created|updated|stored|saved|requested|resulting))"
    r"(?: [\w-]+){1,3}(?=\s*$)",
    re.IGNORECASE,
)
# What a success brings along: "returns 201 with the booking", "answers 200 and a list of books".
_BROUGHT = pattern(
    r"^\s*(?:with|and) (?:(?:the|an?|its|all) )?[\w`-]+(?: [\w`’'-]+){0,5}(?=\s*$)", re.IGNORECASE
)
_BROUGHT_IN_A_CASE = pattern(
    r"^\s*(?:with|and) (?:(?:the|an?|its) )?[\w-]+(?: (?!on\b)[\w-]+){0,3}?(?=\s(?:on|upon|after|without|during)\s)",
    re.IGNORECASE,
)
# "`POST /members` with a name creates a member and returns 201": the request and what is answered.
_OF_REQUEST = pattern(
    r"^(?P<request>`(?:GET|POST|PUT|PATCH|DELETE) /[^`\s]*`)\s(?:(?!\b(?:not|never|no|nor|or|either)\b)[^`])*?\sand\s+"
    r"(?P<answer>(?:then\s+)?(?:returns|answers|responds|replies|gives)\b.*)$",
    only_with=" and ",
)
# "Raises `KeyboardInterrupt` in the worker's thread" says where, not when.
_PLACE = pattern(
    r"inside the "
    r"|in (?:the|a|an|each|every) (?!(?:case|event|absence|presence|course|middle|meantime)\b)",
    re.IGNORECASE,
)
_COMPLAINT = pattern(
    r"(?:I|we)(?:[’']m|[’']ve)?\s+(?:\w+ly\s+)?(?:get|keep|receive|see|got|am)\b", re.IGNORECASE
)
_MARKS = pattern(r"`[^`]*`|\"[^\"]*\"")
_INFINITIVE = pattern(r"\b(?:to|let|lets|makes?|help|helps)\s*$|^(?:in order )?to\b", re.IGNORECASE)
# "The order is placed and answered with 201": one thing to which two things are done.
_DONE = pattern(r"\s+(?:is|are) \w+ed and\s*$", re.IGNORECASE)
_MADE = pattern(r"\b(?:makes?|lets?|let|helps?)\s+[^,]*$", re.IGNORECASE)
_PURPOSE = pattern(r"^to\s|\b(?:number|count) of\b|\b(?:that|which|who)\s*$", re.IGNORECASE)
# "Returns 201 on success with a Location header", "with body {}".
_BROUGHT_BEHIND = pattern(
    r"(?<=\son success)\s+with\s+[\w-]+(?:\s(?:[\w-]+|`[^`]*`|\{[^{}]*\}))*(?=\s*$)", re.IGNORECASE
)
# "Returns 404 for a lost lamp with body `x`": what is sent, behind the case.
_SENT_ALONG = pattern(
    r"\swith\s(?:(?!in|no|un|mis|mal|bad|wrong|empty|expired|too)[\w-]+\s){0,3}"
    r"(?:body|payload|headers?|content|messages?|json|details|explanation)\b",
    re.IGNORECASE,
)
# What tells of one of two ways, of a label, or of one server among others.
_ANOTHER_STORY = pattern(r"\bor\b[^,]*$|:\s|\s-\s|\bfrom one that\b|\bthan one that\b", re.IGNORECASE)


def outcomes(sentence: Sentence) -> Iterator[Claim]:
    """The statuses of answers that a sentence claims."""
    said = _OF_REQUEST.sub(r"\g<request> \g<answer>", sentence.said)
    match = _PASSIVE.match(said) or _RESPONSE_IS.match(said) or _STATE.match(said) or _ACTIVE.match(said)
    if match is None:
        return
    about = None
    before = match.groupdict().get("before") or ""
    if _PURPOSE.search(before) or _MADE.search(before) or _ANOTHER_STORY.search(before):
        return
    if sentence.condition and _COMPLAINT.match(sentence.words):
        # "I get a 402 when downloading" is what somebody complains of, "when downloading, I get a 402" a step.
        return
    if before.strip() and match["verb"][:2].istitle():
        # "I Get HTTP 403" is a heading.
        return
    rest = match["rest"]
    if int(match["status"]) < 400:
        rest = _BROUGHT_BEHIND.sub("", _BROUGHT.sub("", _BROUGHT_IN_A_CASE.sub("", rest)))
    condition = _case(sentence, rest)
    if condition is None:
        return
    if match.re.pattern == _ACTIVE.pattern:
        about = _of_whom(_DONE.sub("", before))
        if before.strip() and about is None and not _is_implied(before):
            # Somebody answers, but the words say who, or in which case, in a way that is not understood.
            return
    elif match.re.pattern == _RESPONSE_IS.pattern or (
        match.re.pattern == _STATE.pattern and _RESPONSE.search(said)
    ):
        about = "response"
    numbers = [int(match["status"]), *map(int, re.findall(r"\d{3}", match["more"]))]
    if any(each not in STATUSES for each in numbers) or _counts(match):
        return
    modality, negated = force(match["verb"])
    for status in numbers:
        yield Claim(
            kind=Claimed.OUTCOME,
            subject=about,
            value=status,
            modality=modality,
            negated=negated,
            condition=condition,
            words=sentence.words,
            line=sentence.line,
        )


def _of_whom(before: str) -> str | None:
    """The subject of an answer: a thing, what is done to one (`creating an account`), or too much of it.

    None where another party answers than the system that is spoken of.
    """
    if is_another_party(_MARKS.sub("x1", before)):
        return None
    thing = thing_of_deed(before)
    if thing is not None and described(thing) is not None:
        bare = before.strip()
        return bare[:1].lower() + bare[1:]
    return described(before) or too_much(before)


def raised(sentence: Sentence) -> Iterator[Claim]:
    """The exceptions that a sentence says are raised."""
    match = _RAISED_PASSIVE.match(sentence.said) or _RAISED.match(_small(sentence.said))
    if match is None:
        return
    names, rest = [match["name"]], match["rest"]
    quoted = f"`{match['name']}`" in sentence.said or f"`~{match['name']}`" in sentence.said
    while further := _FURTHER.match(rest):
        names.append(further["name"])
        rest = further["rest"]
    before = match.groupdict().get("before") or ""
    if not all(quoted or _ERROR_NAME.search(name.rpartition(".")[2]) for name in names):
        return
    if not quoted and _A_KIND_OF.match(rest) and not _WENT_WRONG.search(match["name"].rpartition(".")[2]):
        return
    if _INFINITIVE.search(before) or (
        _PROGRAM.match(sentence.words) and not (rest.strip() or sentence.condition)
    ):
        return
    about = subject(before) if before.strip() else None
    if before.strip() and about is None and not _IMPLIED.fullmatch(before.strip()):
        return
    if about in ("True", "False", "None") or _YOURS.match(before):
        # "`True` will raise `ValueError`": in which case, not who; "your hook should raise": what is asked of a reader.
        return
    modality, negated = force(match["verb"])
    condition = _case(sentence, re.sub(r"^\s*(?:error|exception|instance)?s?\b", "", rest))
    if condition is None:
        return
    for name in names:
        yield Claim(
            kind=Claimed.RAISES,
            subject=about,
            value=name,
            modality=modality,
            negated=negated,
            condition=condition,
            words=sentence.words,
            line=sentence.line,
        )


def _case(sentence: Sentence, rest: str) -> str | None:
    """The case of an answer or an error behind which these words stand; None where they are more than a case."""
    bare = _MESSAGE.sub("", rest).strip(" ,.")
    if not bare:
        return sentence.condition
    if sentence.condition or not is_circumstance(bare) or _PLACE.match(bare) or _SENT_ALONG.search(bare):
        return None
    return bare


def _counts(match: re.Match[str]) -> bool:
    """Whether the number may count things: a bare `returns 200` or `gets 100` without a word of HTTP
    near it."""
    status, whole = int(match["status"]), match[0]
    if (
        match.re.pattern != _ACTIVE.pattern
        or status >= 400
        or re.search(rf"\bHTTP\b|\bstatus\b|\bcode\b|{_REASONS}", whole)
    ):
        return False
    verb = match["verb"].lower()
    if not re.search(r"(?:returns?|gets?|gives?|receives?|yields?|results? in)$", verb):
        return False
    return status not in (200, 201, 202, 204, 301, 302, 303, 304, 307, 308)


def _is_implied(before: str) -> bool:
    """Whether words before a verb mean whoever answers here: `we`, `it`, `this method also`, `then`."""
    return _WHOEVER.fullmatch(before.strip(" ,")) is not None


def _small(said: str) -> str:
    """The words with a small letter where the sentence begins with its verb."""
    return said[:1].lower() + said[1:] if _RAISED_SMALL.match(said) else said
