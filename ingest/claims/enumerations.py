"""Claims of enumerations: the closed lists of values that something may have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.patterns import pattern
from ingest.claims.claim import Claim, Claimed
from ingest.claims.sentences import Sentence
from ingest.claims.subjects import MODAL, force
from ingest.claims.values import about_whom, claimed
from ingest.claims.vocabulary import NO_BARE_VALUES, NO_VALUES

_ONE = r"(?:`[^`\s]+`|\"[^\"\s]*\"|“[^”\s]+”|'[^'\s]+'|[\w-]+)"
_MARKED = r"(?:`[^`\s]+`|\"[^\"\s]*\"|“[^”\s]+”|'[^'\s]+')"


def _list_of(one: str) -> str:
    return rf"{one}(?:\s*,\s*{one})*(?:\s*,?\s*(?:or|and)\s+{one})"


_LIST = rf"(?P<list>{_list_of(_ONE)}|{_ONE}(?:\s*,\s*{_ONE})+)"
_MARKED_LIST = rf"(?P<list>{_list_of(_MARKED)}|{_MARKED}(?:\s*,\s*{_MARKED})+)"
_IS_ONE_OF = pattern(
    rf"^(?:(?P<subject>.*?)\s+)?(?P<verb>is|are|{MODAL}(?:\s+not)?\s+be)\s+(?:(?:one|any) of:?|either)"
    rf"\s+(?:the values\s+)?{_LIST}$",
    re.IGNORECASE,
    only_with=" of|either",
)
_BARE_ONE_OF = pattern(rf"^(?:one|any) of:?\s+{_MARKED_LIST}$", re.IGNORECASE, only_with=" of")
_CAN_BE = pattern(
    rf"^(?P<subject>.*?)\s+(?P<verb>(?:can|may|must|should|shall)\s+(?:only\s+)?be|accepts|takes)"
    rf"\s+(?:either\s+)?{_MARKED_LIST}$",
    re.IGNORECASE,
)
_ALLOWED = pattern(
    rf"^(?:the\s+)?(?:allowed|valid|possible|permitted|supported|accepted)\s+(?:values|options|choices)"
    rf"(?:\s+(?-i:of|for)\s+(?P<subject>.*?))?(?:\s+are|:)\s*:?\s*{_LIST}$",
    re.IGNORECASE,
    only_with="values|options|choices",
)
_ALLOWED_ONES = pattern(
    rf"^(?:the\s+)?(?:allowed|valid|possible|permitted)\s+(?P<subject>(?:[a-z]+\s){{0,2}}"
    rf"(?:statuses|states|roles|priorities|categories|kinds))(?:\s+are:?|:)\s+{_LIST}$",
    re.IGNORECASE,
    only_with="allowed|valid|possible|permitted",
)
# Of these every word that is listed is a value, though nothing marks it.
_OF_STATES = pattern(
    rf"^(?P<subject>(?:[\w'’`-]+\s+){{0,3}}(?:status|state|role|priority|category|kind)(?:\s+of\s+(?:an?|the|each|every)\s+[\w-]+)?)"
    rf"\s+(?P<verb>(?:can|may|must|shall)\s+(?:only\s+)?be)\s+(?:either\s+)?{_LIST}$",
    re.IGNORECASE,
    only_with="status|state|role|priority|category|kind",
)
_DONE_TO = pattern(
    r"changed|set|reset|updated|removed|edited|extended|seen|found|read|viewed|shown|modified|overridden|assigned"
    r"|used|given|left|lost|moved|kept|checked|added|queried|requested|filtered|sorted|empty|null|none"
    r"|(?:non-)?(?:positive|negative|zero)|even|odd|absolute|relative|single|multiple|explicit|implicit|static|dynamic|mutable"
    r"|immutable|optional|required|mandatory|missing|present|arbitrary|fractional",
    re.IGNORECASE,
)
# "Allowed values for MT5": a case, of which product.
_OF_A_NAME = pattern(r"\sfor\s(?:[A-Z][a-z]+|[A-Z]+\d+)(?=\s+are\b|:)")
_ANY_VALUES = pattern(
    r"(?:(?:valid|allowed|possible|permitted|supported|accepted|available) )?(?:values?|options|choices)",
    re.IGNORECASE,
)
# "The state can be kept and restored" says what can be done to it.
_TWO_DEEDS = pattern(r"[\w-]+\s+and\s+[\w-]+")
_QUOTED_CODE = pattern(r"`[\"']([^`\"']*)[\"']`")
_VALUE = pattern(r"[`\"“]([^`\"”]*)[`\"”]|'([^']*)'|([\w-]+)")
# Of what is a type, the names of types are values.
_KIND = pattern(r"(?:types?|kinds?|formats?|dtypes?)`?$", re.IGNORECASE)
# What takes `Text` or `str` takes things of these types.
_EITHER = pattern(r"\s(?:is|are|be) either\s", re.IGNORECASE)
_BECAME = pattern(r"[a-z]{2,}(?:ed|ing|en|own)", re.IGNORECASE)
_OF_A_STATE = pattern(
    r"[`\"]|\b(?:status|state|role|priority|category|kind|type|mode|format|level|value|order|direction)$",
    re.IGNORECASE,
)
# "One of low, medium, high (default: medium)".
_DEFAULT_BEHIND = pattern(r"\s\(defaults?(?:\sto|\sis|:)?\s[^()]{1,40}\)$", re.IGNORECASE)
# "One of `nn.Linear` or `nn.Embedding`": classes, of which an object is.
_CLASSES = pattern(r"`(?:\w+\.)+[A-Z][a-z]\w*`")
# "One of Tensor or SparseTensor": without marks these are classes, unless of what is a kind, a mode and so on.
_CLASS_NAME = pattern(r"(?:[A-Z]+[a-z0-9]+){2,}|[A-Z][a-z0-9]+")
_SORTED = pattern(
    r"(?:^|[\s_`])(?:class(?:es)?|types?|kinds?|status|state|role|priority|category|mode|format|level|value|order|direction|event|option"
    r"|severity|action)s?`?$|[a-z](?:Type|Kind|Mode|Status|State|Class)`?$",
    re.IGNORECASE,
)
# "One of 'sox', 'soundfile' or None": what stands in marks is a text, the rest is none.
_NOTHING = pattern(r"(?:^|[\s,`])None(?=$|[\s,`])")
_ALTERNATIVES = pattern(r"\b(?:either|or|only)\b", re.IGNORECASE)
_ACCEPTS = pattern(r"\b(?:accepts?|takes?)\b", re.IGNORECASE)


def enumerations(sentence: Sentence) -> Iterator[Claim]:
    """The closed lists of values that a sentence claims."""
    said = _DEFAULT_BEHIND.sub("", sentence.said)
    for expression in (_IS_ONE_OF, _BARE_ONE_OF, _CAN_BE, _ALLOWED, _ALLOWED_ONES, _OF_STATES):
        if match := expression.match(said):
            break
    else:
        return
    found = (next(filter(None, parts)) for parts in _VALUE.findall(_joined(match["list"])) if any(parts))
    values = [each.strip("'\"") for each in found]
    if _CLASSES.search(match["list"]) or (
        _NOTHING.search(match["list"]) and re.search(r"['\"]", match["list"])
    ):
        return
    if len(values) < 2 or any(value.lower() in NO_VALUES for value in values):
        return
    if expression is _ALLOWED and _OF_A_NAME.search(match[0]):
        return
    if expression is _OF_STATES and (
        any(_DONE_TO.fullmatch(value) for value in values) or _TWO_DEEDS.fullmatch(match["list"])
    ):
        return
    bare = {part.lower() for *_, part in _VALUE.findall(match["list"]) if part}
    if expression is _IS_ONE_OF and len(bare - {"or"}) == len(values) and _is_a_trait(match, values):
        return
    if bare & NO_BARE_VALUES:
        return
    about, known = about_whom(match)
    if NO_BARE_VALUES.issuperset(map(str.lower, values)) and not _KIND.search(
        (about or "").partition(" of ")[0]
    ):
        # "Can be either `str` or `bytes`" tells types.
        return
    if expression is _CAN_BE and _ACCEPTS.search(match["verb"]) and not _ALTERNATIVES.search(said):
        # "`fetch` takes `timeout`, `url` and `retries`" lists what one can give.
        return
    if _ACCEPTS.search(said) and NO_BARE_VALUES.intersection(map(str.lower, values)):
        return
    if not known:
        return
    if about and len(bare - {"or", "and"}) == len(values) and _are_classes(about, values):
        return
    modality, negated = force(match.groupdict().get("verb") or "")
    if about and _ANY_VALUES.fullmatch(about):
        about = None
    yield claimed(Claimed.ENUMERATION, sentence, about, values, modality, negated)


def _are_classes(about: str, values: list[str]) -> bool:
    """Whether half of the words at least are written as classes are, and what they are of is no type or state."""
    named = sum(_CLASS_NAME.fullmatch(value) is not None for value in values)
    return named * 2 >= len(values) and _SORTED.search(about.partition(" of ")[0]) is None


def _is_a_trait(match: re.Match[str], values: list[str]) -> bool:
    """Whether words tell how something is (`is either flat or deep`), or what is done to it (edited, deleted)."""
    if len(values) > 2 and not all(_BECAME.fullmatch(value) for value in values):
        return False
    return _EITHER.search(match[0]) is not None and _OF_A_STATE.search(match["subject"] or "") is None


def _joined(text: str) -> str:
    """The list with commas only, so that `or` and `and` are no values."""
    return _QUOTED_CODE.sub(r"`\1`", re.sub(r"\s*,?\s+(?:or|and)\s+", ", ", text))
