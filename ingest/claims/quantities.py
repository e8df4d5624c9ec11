"""Claims of quantity: `at least 12 characters`, `must not exceed 5 MB`, `between 1 and 5 stars`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from graph.patterns import pattern
from ingest.claims.bounds import GOES_ON, OR, OR_MORE, PHRASE, Bound, N, bounds, rests
from ingest.claims.cases import is_circumstance
from ingest.claims.claim import Claim, Claimed
from ingest.claims.numbers import measured, number
from ingest.claims.sentences import Sentence
from ingest.claims.subjects import MODAL, force, is_elsewhere, noun_phrase, subject

_FLIPPED = {">": "<=", "<": ">=", ">=": "<", "<=": ">"}
_HOLDS = (
    r"(?:be|is|are|has|have|contains?|includes?|holds?|accepts?|allows?|takes?|needs?|requires?|lasts?"
    r"|stores?|lists?|shows?"
    r"|responds?|answers?|replies|reply|finish(?:es)?|completes?|loads?|be (?:used|set|shown|sent|retried"
    r"|given|tried))"
)
_VERB = pattern(
    rf"\s+(?P<verb>(?:{MODAL})(?:\s+(?:not|never|only|always|also))?(?:\s+{_HOLDS})?|{_HOLDS}(?:\s+(?:only"
    rf"|always))?|is (?:used|tried))\s*$",
    re.IGNORECASE,
)
_DIRECT = pattern(r"(?P<label>[^:(]{1,60}?)\s*[:(]\s*$")
_EXTREME = pattern(
    rf"^(?P<before>.*?)\b(?P<way>maximum|minimum|max\.?|min\.?|largest|smallest|longest|shortest)"
    rf"\s+(?P<what>[\w` -]{{1,40}}?)"
    rf"\s+(?P<verb>is|are|must be|should be|shall be|:)\s+(?P<number>{N})(?P<rest>.*)$",
    re.IGNORECASE,
    only_with=r"m[ai][xn]|largest|smallest|longest|shortest",
)
_PERMITTED = pattern(r"\s*\b(?:allowed|permitted|possible|supported|accepted|valid)\b\s*", re.IGNORECASE)
_EXACT = pattern(
    rf"^(?P<subject>.*?)\s+(?P<verb>consists? of|{MODAL} (?:consist of|be|have)|is|are)\s+(?:exactly"
    rf"\s+)?(?P<number>{N})"
    rf"(?P<rest>\s+(?:characters?|digits?|letters?|chars?|bytes?)\b.*)$",
    re.IGNORECASE,
    only_with=r"character|digit|letter|char|byte",
)
_EXPIRY = pattern(
    rf"^(?P<subject>.*?)\s+(?P<verb>(?:{MODAL}\s+)?(?:expires?|times? out|lapses?))\s+after"
    rf"\s+(?P<number>{N})(?P<rest>.*)$",
    re.IGNORECASE,
    only_with=r"expire|times? out|lapse",
)
_REFUSED = pattern(
    rf"^(?P<subject>.*?)\s+(?P<way>longer|larger|bigger|greater|higher|shorter|smaller|lower)\s+than"
    rf"\s+(?P<number>{N})(?P<rest>.*?)"
    r"\s+(?:is|are|will be|must be|gets?)\s+(?:always\s+)?(?:rejected|refused|denied|not (?:allowed"
    r"|accepted|permitted)|invalid|forbidden)\b",
    re.IGNORECASE,
    only_with=r"\sthan\s",
)
_SIGN = pattern(
    rf"^(?P<subject>.*?)\s+(?P<verb>{MODAL}(?:\s+not|\s+never)?)\s+be\s+(?P<sign>negative|positive"
    rf"|non-negative|nonnegative|empty|zero)\s*$",
    re.IGNORECASE,
    only_with=r"tive|empty|zero",
)
_SIGNS = {"positive": (">", 0), "non-negative": (">=", 0), "nonnegative": (">=", 0)}
_DENIED_SIGNS = {"negative": (">=", 0, ""), "empty": (">=", 1, "length")}
_ALLOWED = pattern(
    r"(?:is|are|(?:must|should|can|may) be) (?:allowed|permitted|accepted|possible|supported|provided"
    r"|given|present)\b",
    re.IGNORECASE,
)
_LENGTH = pattern(r"^(?:long|in length|in size|wide|inclusive|in total|each)\b,?\s*", re.IGNORECASE)
_FROM_NOW = pattern(r"\b(?:in(?:to)? the (?:future|past)|ahead|from now)\b", re.IGNORECASE)
_LOOSE = pattern(r"\b(?:and|or|with|of|in|for|to|from|by|on|at)\b", re.IGNORECASE)
_VAGUE = pattern(
    r"\b(?:about|around|roughly|approximately|nearly|almost|some|over|at least twice)\s*$", re.IGNORECASE
)
_NUMBERED = pattern(rf"^{N}\s+\w", re.IGNORECASE)
_MARKED = pattern(r"^\s*['\"“`]")
_PLURALS = frozenset({"people", "children", "men", "women", "percent", "length", "data", "pixel", "px"})


def quantities(sentence: Sentence) -> Iterator[Claim]:
    """The quantities that a sentence claims."""
    for special in (_extreme, _refused, _expiry, _exact, _sign):
        found = list(special(sentence))
        if found:
            yield from found
            return
    yield from _phrased(sentence)


def _claim(
    sentence: Sentence,
    about: str | None,
    comparator: str,
    value: float,
    rest: str,
    verb: str,
) -> Claim | None:
    """A claim whose unit begins the rest of the clause; None where what the unit leaves of it is more than a case."""
    size = measured(value, rest)
    left = _LENGTH.sub("", OR.sub("", rest[size.length :].strip(" ,:)")))
    left = _ALLOWED.sub("", left, count=1).strip() if _ALLOWED.match(left) else left
    condition = sentence.condition
    if not GOES_ON.match(left):
        if condition or not is_circumstance(left):
            return None
        condition = left
    modality, negated = force(verb)
    if comparator == "=" or not negated:
        pass
    else:
        modality, negated = ("must" if modality == "must not" else modality), False
    return Claim(
        kind=Claimed.QUANTITY,
        subject=about,
        comparator=comparator,
        value=size.value,
        unit=size.unit,
        modality=modality,
        negated=negated,
        condition=condition,
        words=sentence.words,
        line=sentence.line,
    )


def _extreme(sentence: Sentence) -> Iterator[Claim]:
    match = _EXTREME.match(sentence.said)
    if match is None or match["before"].strip().lower() not in ("", "the", "a", "its", "and the", "your"):
        return
    what = noun_phrase(_PERMITTED.sub(" ", match["what"]))
    if what is None:
        return
    of = re.match(r"^(.*?) (?:of|for) (.*)$", what)
    about = f"{of[2]} {of[1]}" if of and of[1] in ("length", "size", "value") else what
    if about in ("length", "size", "value", "number"):
        about = ""
    comparator = ">=" if match["way"].lower().startswith(("min", "small", "short")) else "<="
    yield from _given(
        _claim(sentence, about or None, comparator, number(match["number"]), match["rest"], match["verb"])
    )


def _refused(sentence: Sentence) -> Iterator[Claim]:
    match = _REFUSED.match(sentence.said)
    if match is None or (about := subject(match["subject"])) is None:
        return
    comparator = ">=" if match["way"].lower() in ("shorter", "smaller", "lower") else "<="
    yield from _given(_claim(sentence, about, comparator, number(match["number"]), match["rest"], "must"))


def _expiry(sentence: Sentence) -> Iterator[Claim]:
    match = _EXPIRY.match(sentence.said)
    if match and (about := subject(match["subject"])):
        claim = _claim(sentence, about, "=", number(match["number"]), match["rest"], match["verb"])
        if claim is not None and claim.unit in ("seconds", "months", "years"):
            yield claim


def _exact(sentence: Sentence) -> Iterator[Claim]:
    match = _EXACT.match(sentence.said)
    if match is None or (about := subject(match["subject"])) is None:
        return
    plain = match["verb"].lower() in ("is", "are")
    if plain and not re.search(r"\b(?:long|in length)\b", match["rest"]):
        return
    if not re.search(r"\bor (?:more|less|fewer|longer)\b", match["rest"]):
        yield from _given(_claim(sentence, about, "=", number(match["number"]), match["rest"], match["verb"]))


def _sign(sentence: Sentence) -> Iterator[Claim]:
    match = _SIGN.match(sentence.said)
    if match is None or (about := subject(match["subject"])) is None:
        return
    sign, modality = match["sign"].lower(), force(match["verb"])
    if match["verb"].lower().startswith(("will", "won")):
        return
    if not modality.negated and sign in _SIGNS and modality.modality != "may":
        comparator, value = _SIGNS[sign]
        yield from _given(_claim(sentence, about, comparator, value, "", match["verb"]))
    elif modality.negated and sign in _DENIED_SIGNS:
        comparator, value, unit = _DENIED_SIGNS[sign]
        rest = f" {unit}" if unit else ""
        yield from _given(_claim(sentence, about, comparator, value, rest, match["verb"]))


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
        claim = _claim(sentence, about, comparator, bound.value, rest, verb)
        if claim is None:
            return
        if not said[: found[0].start].strip() and _counted(claim):
            claim = msgspec.structs.replace(claim, subject=claim.unit)
        if not _is_whole(claim) or _FROM_NOW.search(rest) or _MARKED.match(said[bound.end :]):
            return
        read.append(claim)
    yield from read


def _given(claim: Claim | None) -> Iterator[Claim]:
    if claim is not None:
        yield claim


def _is_whole(claim: Claim) -> bool:
    """Whether the unit is something counted, and the subject no count itself: not `five values are between 0 and 4`."""
    if _NUMBERED.match(claim.subject or ""):
        return False
    last = claim.unit.rpartition(" ")[2].lower()
    return claim.value == 1 or last[-1:] in ("s", "") or last in _PLURALS


def _counted(claim: Claim) -> bool:
    """Whether a bound without a holder counts what is allowed: `no more than 3 attempts are allowed`."""
    measures = ("", "characters", "seconds", "bytes", "percent")
    return _ALLOWED.search(claim.words) is not None and claim.unit not in measures


def _holder(said: str, first: Bound) -> tuple[str | None, str, bool]:
    """Of whom the first bound speaks, by which verb, and whether that is known at all."""
    before = said[: first.start].rstrip()
    if _VAGUE.search(before):
        return None, "", False
    if not before:
        rest = said[first.end :]
        size = measured(first.value, rest)
        left = _LENGTH.sub("", rest[size.length :].strip(" ,"))
        plain = not left or _ALLOWED.match(left) or PHRASE.match(left) or GOES_ON.match(left.split(" ")[0])
        # "One or more books" alone only names them.
        listed = OR_MORE.match(said) is not None and not size.unit.startswith(
            ("char", "sec", "byte", "percent")
        )
        return None, "", bool(plain) and not listed and first.comparator in (">=", "<=", "=")
    implied = re.fullmatch(rf"(?P<verb>{MODAL}(?:\s+not)?(?:\s+{_HOLDS})?)", before, re.IGNORECASE)
    if implied:
        return None, implied["verb"], True
    match = _VERB.search(f" {before}")
    if match:
        if not re.search(MODAL, match["verb"], re.IGNORECASE) and first.comparator in ("<", ">"):
            return None, "", False
        about = subject(before[: max(0, match.start() - 1)])
        return about, match["verb"], about is not None
    direct = _DIRECT.fullmatch(before)
    text = direct["label"] if direct else before
    about = noun_phrase(text)
    if not direct and _LOOSE.search(text):
        return None, "", False
    if about is None or not (
        direct
        or (first.symbol and ("`" in text or len(text.split()) == 2) and first.end == len(said.rstrip()))
    ):
        return None, "", False
    return about, "", not is_elsewhere(text.split()) and first.comparator != "="
