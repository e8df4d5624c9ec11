"""Sentences of a shape of their own that claim a quantity: extremes, what is refused, expiry, signs, from … to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.patterns import pattern
from ingest.claims.bounds import N
from ingest.claims.claim import Claim
from ingest.claims.measures import given, quantity
from ingest.claims.numbers import number
from ingest.claims.sentences import Sentence
from ingest.claims.subjects import MODAL, force, noun_phrase, subject

_EXTREME = pattern(
    rf"^(?P<before>.*?)\b(?P<way>maximum|minimum|max\.?|min\.?|largest|smallest|longest|shortest)"
    rf"\s+(?P<what>(?!.*\bversions?\b|(?-i:(?:supported|required)\s+[A-Z]))[\w` -]{{1,40}}?)"
    rf"(?P<verb>\s+(?:is|are|must be|should be|shall be)|\s*:)\s+(?P<number>{N})(?P<rest>.*)$",
    re.IGNORECASE,
    only_with=r"m[ai][xn]|largest|smallest|longest|shortest",
)
_PERMITTED = pattern(r"\s*\b(?:allowed|permitted|possible|supported|accepted|valid)\b\s*", re.IGNORECASE)
_FOUND = pattern(r"(?:larg|small|long|short)est", re.IGNORECASE)
_EXACT = pattern(
    rf"^(?P<subject>.*?)\s+(?P<verb>consists? of|{MODAL} (?:consist of|be|have)|is|are)\s+(?:exactly"
    rf"\s+)?(?P<number>{N})"
    rf"(?P<rest>\s+(?:characters?|digits?|letters?|chars?|bytes?)\b.*)$",
    re.IGNORECASE,
    only_with="character|digit|letter|char|byte",
)
_EXPIRY = pattern(
    rf"^(?P<subject>.*?)\s+(?P<verb>(?:{MODAL}\s+)?(?:(?:expires?|times? out|lapses?)\s+after"
    rf"|(?:is|are|be|remains?|stays?)\s+valid\s+for))"
    rf"\s+(?P<number>{N})(?P<rest>.*?)(?:\s+(?:of inactivity|without activity))?$",
    re.IGNORECASE,
    only_with=r"expire|times? out|lapse|valid",
)
_TOO_MUCH = (
    r"^(?P<subject>.*?)\s+(?:(?P<way>longer|larger|bigger|greater|higher|shorter|smaller|lower)\s+than"
    r"|(?:(?:of|with)\s+)?(?P<amount>more|fewer|less)\s+than|over|above|exceeding)"
    rf"\s+(?P<number>{N})"
)
_WHAT_IS_MUCH = pattern(
    rf"{_TOO_MUCH}(?:\s?%|\s+[A-Za-z]+)$",
    re.IGNORECASE,
    only_with=" than | over | above | exceeding ",
)
_REFUSED = pattern(
    rf"{_TOO_MUCH}(?P<rest>.*?)"
    r"\s+(?:is|are|will be|must be|gets?)\s+(?:always\s+)?(?:rejected|refused|denied|not (?:allowed"
    r"|accepted|permitted)|invalid|forbidden)\b",
    re.IGNORECASE,
    only_with=" than | over | above | exceeding ",
)
_SIGN = pattern(
    rf"^(?P<subject>.*?)\s+(?P<verb>{MODAL}(?:\s+not|\s+never)?)\s+be\s+(?:an?\s+)?(?P<sign>negative|positive"
    rf"|non-negative|nonnegative|empty|blank|zero)(?:\s+(?:whole\s+|decimal\s+)?(?:integer|number|amount|value|decimal))?\s*$",
    re.IGNORECASE,
    only_with="tive|empty|blank|zero",
)
_SIGNS = {"positive": (">", 0), "non-negative": (">=", 0), "nonnegative": (">=", 0)}
_DENIED_SIGNS = {"negative": (">=", 0, ""), "empty": (">=", 1, "length"), "blank": (">=", 1, "length")}
# "The account is locked after 3 failed attempts": so many are allowed.
_LOCKED = pattern(
    rf"^.+?\s+(?:(?:is|are|gets?|(?:{MODAL})\s+be)\s+(?:\w+ly\s+)?(?:locked|blocked|suspended|disabled|banned|frozen)"
    rf"|locks|blocks)(?:\s+out)?\s+after\s+(?:at most\s+|no more than\s+|more than\s+)?(?P<number>{N})"
    rf"\s+(?P<unit>(?:[a-z-]+\s+){{0,2}}(?:attempts?|tries|failures?|logins?|passwords?))$",
    re.IGNORECASE,
    only_with=" after ",
)
# "3 to 20 characters long", "3–20 characters", "range from 1 to 5".
_FROM_TO = pattern(
    rf"^(?P<subject>.*?)\s+(?:(?P<verb>{MODAL}\s+(?:be|have)|is|are|has|have)\s+(?:between\s+)?(?P<low>{N})"
    rf"(?:\s+to\s+|\s*[–-]\s*)(?P<high>{N})"
    r"(?P<rest>\s+(?:characters?|chars?|digits?|letters?)(?:\s+(?:long|in length))?)"
    rf"|(?P<way>(?:{MODAL}\s+)?(?:ranges?|goe?s?|runs?))\s+from\s+(?P<least>{N})\s+to\s+(?P<most>{N})(?P<unit>.*))$",
    re.IGNORECASE,
    only_with="character|char|digit|letter| from ",
)
_LIMIT_IS = pattern(
    rf"^(?:the\s+)?(?P<what>(?!the\b|default|soft|hard|upper|lower|version)[\w-]+(?:\s[\w-]+){{0,2}})\s+limit\s+(?P<verb>is|{MODAL}\s+be)"
    rf"\s+(?P<number>{N})(?P<rest>.*)$",
    re.IGNORECASE,
    only_with=" limit ",
)


def shaped(sentence: Sentence) -> Iterator[Claim]:
    """The claims of a sentence by the first shape that it has."""
    for shape in (_extreme, _refused, _expiry, _exact, _sign, _locked, _from_to, _limit_is):
        found = list(shape(sentence))
        if found:
            yield from found
            return


def too_much(words: str) -> str | None:
    """The words, where they tell of more or less of a thing than may be: `uploads of more than 5 MB`."""
    bare = re.sub(r"^the\s+", "", words.strip(), flags=re.IGNORECASE)
    match = _WHAT_IS_MUCH.match(bare)
    return bare[:1].lower() + bare[1:] if match and subject(match["subject"]) else None


def _extreme(sentence: Sentence) -> Iterator[Claim]:
    match = _EXTREME.match(sentence.said)
    if match is None or match["before"].strip().lower() not in ("", "the", "a", "its", "and the", "your"):
        return
    if _FOUND.match(match["way"]) and not _PERMITTED.search(match["what"]):
        # "The longest path is 5" tells of one case, "the longest allowed name is 80 characters" of all.
        return
    what = noun_phrase(_PERMITTED.sub(" ", match["what"]))
    if what is None:
        return
    of = re.match(r"^(.*?) (?:of|for) (.*)$", what)
    about = f"{of[2]} {of[1]}" if of and of[1] in ("length", "size", "value") else what
    if about in ("length", "size", "value", "number"):
        about = ""
    comparator = ">=" if match["way"].lower().startswith(("min", "small", "short")) else "<="
    yield from given(
        quantity(sentence, about or None, comparator, number(match["number"]), match["rest"], match["verb"])
    )


def _refused(sentence: Sentence) -> Iterator[Claim]:
    match = _REFUSED.match(sentence.said)
    if match is None or (about := subject(match["subject"])) is None:
        return
    if not (match["way"] or match["amount"]) and not match["rest"].strip():
        return
    way = (match["way"] or match["amount"] or "").lower()
    comparator = ">=" if way in ("shorter", "smaller", "lower", "fewer", "less") else "<="
    yield from given(quantity(sentence, about, comparator, number(match["number"]), match["rest"], "must"))


def _expiry(sentence: Sentence) -> Iterator[Claim]:
    match = _EXPIRY.match(sentence.said)
    if match and (about := subject(match["subject"])):
        claim = quantity(sentence, about, "=", number(match["number"]), match["rest"], match["verb"])
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
        yield from given(
            quantity(sentence, about, "=", number(match["number"]), match["rest"], match["verb"])
        )


def _sign(sentence: Sentence) -> Iterator[Claim]:
    match = _SIGN.match(sentence.said)
    if match is None or (about := subject(match["subject"])) is None:
        return
    sign, modality = match["sign"].lower(), force(match["verb"])
    if match["verb"].lower().startswith(("will", "won")):
        return
    if not modality.negated and sign in _SIGNS and modality.modality != "may":
        comparator, value = _SIGNS[sign]
        yield from given(quantity(sentence, about, comparator, value, "", match["verb"]))
    elif modality.negated and sign in _DENIED_SIGNS:
        comparator, value, unit = _DENIED_SIGNS[sign]
        rest = f" {unit}" if unit else ""
        yield from given(quantity(sentence, about, comparator, value, rest, match["verb"]))


def _locked(sentence: Sentence) -> Iterator[Claim]:
    match = _LOCKED.match(sentence.said)
    if match is not None:
        rest = f" {match['unit']}"
        yield from given(quantity(sentence, match["unit"], "<=", number(match["number"]), rest, "must"))


def _from_to(sentence: Sentence) -> Iterator[Claim]:
    match = _FROM_TO.match(sentence.said)
    if match is None or (about := subject(match["subject"])) is None:
        return
    verb = match["verb"] or match["way"]
    rest = match["rest"] or match["unit"] or ""
    low, high = number(match["low"] or match["least"]), number(match["high"] or match["most"])
    if low < high and not force(verb).negated:
        yield from given(quantity(sentence, about, ">=", low, rest, verb))
        yield from given(quantity(sentence, about, "<=", high, rest, verb))


def _limit_is(sentence: Sentence) -> Iterator[Claim]:
    match = _LIMIT_IS.match(sentence.said)
    if match is not None and (about := noun_phrase(match["what"])) is not None:
        yield from given(
            quantity(sentence, about, "<=", number(match["number"]), match["rest"], match["verb"])
        )
