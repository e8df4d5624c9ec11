"""Claims of quantity: `at least 12 characters`, `must not exceed 5 MB`, `between 1 and 5 stars`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from graph.patterns import pattern
from ingest.claims.bounds import GOES_ON, OR_MORE, PHRASE, Bound, N, bounds, rests
from ingest.claims.claim import Claim
from ingest.claims.elsewhere import is_elsewhere
from ingest.claims.measures import ALLOWED, LENGTH, quantity
from ingest.claims.numbers import measured
from ingest.claims.sentences import Sentence
from ingest.claims.shapes import shaped
from ingest.claims.subjects import MODAL, force, noun_phrase, subject
from ingest.claims.vocabulary import GIVEN

_FLIPPED = {">": "<=", "<": ">=", ">=": "<", "<=": ">"}
_HOLDS = (
    r"(?:be|is|are|has|have|contains?|includes?|holds?|accepts?|allows?|takes?|needs?|requires?|lasts?"
    r"|stores?|lists?|shows?"
    r"|responds?|answers?|replies|reply|finish(?:es)?|completes?|loads?|arrives?|be (?:used|set|shown|sent|retried"
    r"|given|tried|returned|delivered|processed|completed|finished|answered|confirmed|available|visible))"
)
_VERB = pattern(
    rf"\s+(?P<verb>(?:{MODAL})(?:\s+(?:not|never|only|always|also))?(?:\s+{_HOLDS})?|{_HOLDS}(?:\s+(?:only"
    rf"|always))?|is (?:used|tried))\s*$",
    re.IGNORECASE,
)
_DIRECT = pattern(r"(?P<label>[^:(]{1,60}?)\s*[:(]\s*$")
# "Good: < 2500 ms" rates what is measured, "response time: < 200 ms" bounds it.
_MEASURED = pattern(
    r"`|\b(?:time|timeout|latency|duration|delay|age|length|size|width|height|depth|distance|weight|count|number|amount"
    r"|quantity|rate|ratio|coverage|score|level|limit|target|budget|price|memory|usage|load|lines|characters|digits)s?$",
    re.IGNORECASE,
)
# "Assemblytics version >= 1.2" tells what is installed.
_VERSION = pattern(r"\bversion$", re.IGNORECASE)
_DOTTED = pattern(r"\d\.\d")
_HAS = pattern(
    r"\b(?:has|have|contains?|includes?|holds?|accepts?|takes?|allows?|needs?|requires?)$", re.IGNORECASE
)
_OBSERVED = pattern(
    r"\b(?:estimated?|expected|projected|planned|typical|average|median|mean|actual|current|measured|observed|reported)\b",
    re.IGNORECASE,
)
# "The reported maximum gap is up to 76 points" tells what somebody found.
_REPORTED = pattern(r"(?:reported|observed|measured|estimated|typical|average|mean|median)\s", re.IGNORECASE)
# "Maximum estimated size per metric: 406 KiB" tells what somebody reckons with.
_RECKONED = pattern(
    r"\b(?:estimated?|projected|predicted|theoretical|optimistic|pessimistic)\b", re.IGNORECASE
)
# "Limit: maximum 3 markers" names no thing.
_LABEL = pattern(r"(?:limits?|rules?|constraints?|important|note|quota|cap)", re.IGNORECASE)
_FROM_NOW = pattern(r"\b(?:in(?:to)? the (?:future|past)|ahead|from now)\b", re.IGNORECASE)
_LOOSE = pattern(r"\b(?:and|or|with|of|in|for|to|from|by|on|at)\b", re.IGNORECASE)
_CLAUSE = pattern(rf"\b(?:is|are|{MODAL})\b", re.IGNORECASE)
_VAGUE = pattern(
    r"\b(?:about|around|roughly|approximately|nearly|almost|some|over|at least twice)\s*$", re.IGNORECASE
)
_NUMBERED = pattern(rf"^{N}\s+\w", re.IGNORECASE)
_PER = pattern(r"^per\b", re.IGNORECASE)
_MARKED = pattern(r"^\s*['\"“`]")
# "Exactly one unit re-runs" and "one or more issues found" say what happens.
_PLURAL = pattern(r"\s\S+[^s]s$")
# "At least one maintainer approves" says what one does.
_ONE_DOES = pattern(r"^\S*[^\Ws]\s\S*[^\Ws]s$")
_DONE = frozenset(
    {"found", "made", "given", "sent", "left", "shown", "seen", "built", "known", "kept", "met", "available"}
)
_MEASURES = ("characters", "seconds", "bytes", "percent")
_KNOWN = frozenset({*_MEASURES, "digits", "letters", "items", "times"})
_DETERMINED = pattern(
    r"(?:and\s+)?(?:the|an?|its|their|this|each|every|all|any|our|both|no)\s", re.IGNORECASE
)
_NAMED = pattern(r"[`\"“]|\w_\w")
_PLURALS = frozenset({"people", "children", "men", "women", "percent", "length", "data", "pixel", "px"})


def quantities(sentence: Sentence) -> Iterator[Claim]:
    """The quantities that a sentence claims."""
    found = list(shaped(sentence))
    yield from (each for each in found or _phrased(sentence) if not _RECKONED.search(each.subject or ""))


def _phrased(sentence: Sentence) -> Iterator[Claim]:
    said = sentence.said
    found = list(bounds(said))
    if not found:
        return
    about, verb, known = _holder(said, found[0])
    if not known:
        return
    denied = force(verb).negated
    behind = list(rests(said, found))
    if len(behind) < len(found):
        return
    read: list[Claim] = []
    for position, (bound, rest) in enumerate(zip(found, behind, strict=True)):
        comparator = bound.comparator
        if denied and (position == 0 or comparator in "<>"):
            comparator = _FLIPPED.get(comparator, comparator)
        claim = quantity(sentence, about, comparator, bound.value, rest, verb)
        if claim is None:
            return
        if not said[: found[0].start].strip() and _counted(claim, said):
            claim = msgspec.structs.replace(claim, subject=claim.unit)
        if not claim.unit and _HAS.search(verb) and not found[0].symbol and claim.value == 1:
            # "A shelf can have at most one": the page breaks the sentence off, or the one before says of what.
            return
        if not _is_whole(claim) or _FROM_NOW.search(rest) or _MARKED.match(said[bound.end :]):
            return
        if about and not _is_shown(said[: found[0].start], about, verb, claim):
            return
        if about and not verb and claim.condition != sentence.condition and not _PER.match(claim.condition):
            # "Hooks: one or more bindings for an event" says what kind of bindings.
            return
        read.append(claim)
    yield from read


def _is_whole(claim: Claim) -> bool:
    """Whether the unit is something counted, and the subject no count itself: not `five values are between 0 and 4`."""
    if _NUMBERED.match(claim.subject or ""):
        return False
    if claim.unit.startswith("such "):
        return False
    last = claim.unit.rpartition(" ")[2].lower()
    if last in _DONE or (claim.comparator == "=" and claim.value == 1 and _PLURAL.search(claim.unit)):
        return False
    if claim.value == 1 and _ONE_DOES.search(claim.unit) and not OR_MORE.search(claim.words):
        return False
    return claim.value == 1 or last[-1:] in ("s", "") or last in _PLURALS


def _is_shown(before: str, about: str, verb: str, claim: Claim) -> bool:
    """Whether something is shown to have what is counted, as in `FAIL: at most 3 markers` nothing is.

    A measure (characters, seconds) or a modal verb shows it; else an article, a mark or the word for a measure or for
    what is given has to stand before the number.
    """
    head = about.partition(" of ")[0].rpartition(" ")[2].lower()
    return (
        claim.unit in _KNOWN
        or re.search(MODAL, verb, re.IGNORECASE) is not None
        or _DETERMINED.match(before.strip()) is not None
        or _MEASURED.search(about) is not None
        or _NAMED.search(before) is not None
        or head in ("attempts", "retries")
        or not {head, head.removesuffix("s")}.isdisjoint(GIVEN)
    )


def _counted(claim: Claim, said: str) -> bool:
    """Whether a bound without a holder counts what is allowed: `no more than 3 attempts are allowed`."""
    return ALLOWED.search(said) is not None and claim.unit not in ("", *_MEASURES)


def _holder(said: str, first: Bound) -> tuple[str | None, str, bool]:
    """Of whom the first bound speaks, by which verb, and whether that is known at all."""
    before = said[: first.start].rstrip()
    if _VAGUE.search(before):
        return None, "", False
    if not before:
        rest = said[first.end :]
        size = measured(first.value, rest)
        left = LENGTH.sub("", rest[size.length :].strip(" ,"))
        plain = not left or ALLOWED.match(left) or PHRASE.match(left) or GOES_ON.match(left.split(" ")[0])
        # "One or more books" alone only names them.
        listed = OR_MORE.match(said) is not None and not size.unit.startswith(
            ("char", "sec", "byte", "percent")
        )
        told = first.comparator in (">=", "<=") or size.unit in _MEASURES or _CLAUSE.search(rest) is not None
        # "At least one lamp exist" is cut off, or tells of what there is.
        cut = first.value == 1 and size.unit not in _KNOWN and not left
        return None, "", bool(plain) and not listed and told and not cut
    implied = re.fullmatch(rf"(?P<verb>{MODAL}(?:\s+not)?(?:\s+{_HOLDS})?)", before, re.IGNORECASE)
    if implied:
        return None, implied["verb"], True
    match = _VERB.search(f" {before}")
    if match:
        if not re.search(MODAL, match["verb"], re.IGNORECASE) and first.comparator in ("<", ">"):
            return None, "", False
        about = subject(before[: max(0, match.start() - 1)])
        if _REPORTED.match(about or ""):
            return None, "", False
        return about, match["verb"], about is not None
    direct = _DIRECT.fullmatch(before)
    text = direct["label"] if direct else before
    if direct and first.symbol and first.comparator in "<>" and not _MEASURED.search(text):
        return None, "", False
    if direct and _OBSERVED.search(text):
        # "Estimated time: < 1 hour" tells what somebody thinks or saw.
        return None, "", False
    if direct and OR_MORE.match(said[direct.end() :].lstrip()):
        # "Skills: one or more sources" says what they are.
        return None, "", False
    about = None if direct and _LABEL.fullmatch(text.strip()) else noun_phrase(text)
    written = said[first.start : first.end]
    if first.symbol and (_VERSION.search(text) or (first.comparator == ">=" and _DOTTED.search(written))):
        # "`somelib` >= 2.0" is a version of another program.
        return None, "", False
    if not direct and "`" not in text and first.comparator in "<>" and not _MEASURED.search(text):
        # "Burn rate < 2.0" in a list of what others want rates.
        return None, "", False
    if not direct and _LOOSE.search(text):
        return None, "", False
    if about is None or not (
        direct
        or (first.symbol and ("`" in text or _MEASURED.search(text)) and first.end == len(said.rstrip()))
    ):
        return None, "", False
    return about, "", not is_elsewhere(text.split()) and first.comparator != "="
