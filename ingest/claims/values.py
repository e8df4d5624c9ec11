"""Claims of values: enumerations and defaults."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.facts import Json
from graph.patterns import pattern
from ingest.claims.claim import Claim, Claimed
from ingest.claims.numbers import NUMBER, measured, number
from ingest.claims.sentences import Sentence
from ingest.claims.subjects import MODAL, force, noun_phrase, subject
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
    rf"(?:\s+(?:of|for)\s+(?P<subject>.*?))?(?:\s+are|:)\s*:?\s*{_LIST}$",
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
    r"|used|given|left|lost|moved|kept|checked|added|queried|requested|filtered|sorted|empty|null|none",
    re.IGNORECASE,
)
# "Allowed values for MT5": a case, of which product.
_OF_A_NAME = pattern(r"\sfor\s(?:[A-Z][a-z]+|[A-Z]+\d+)(?=\s+are\b|:)")
_ANY_VALUES = pattern(
    r"(?:(?:valid|allowed|possible|permitted|supported|accepted|available) )?(?:values?|options|choices)",
    re.IGNORECASE,
)
_ASSIGNED = pattern(
    r"`(?P<name>[A-Za-z_]\w*)(?:\s?=\s?|:\s)(?P<value>[\w.+-]+|'[^'`]*'|\"[^\"`]*\")`",
)
# "`Hook` defaults to `fallback=Fallback()`": of whom what is given a value.
_GIVES = pattern(r"`[A-Za-z_]\w*\s?=(?!=)[^`]*`")
# "The state can be kept and restored" says what can be done to it.
_TWO_DEEDS = pattern(r"[\w-]+\s+and\s+[\w-]+")
_PREFIXED = pattern(r"[rRuU](['\"])(.*)\1")
_CODE = pattern(r"`[^`]+`")
_QUOTED_CODE = pattern(r"`[\"']([^`\"']*)[\"']`")
_VALUE = pattern(r"[`\"“]([^`\"”]*)[`\"”]|'([^']*)'|([\w-]+)")

_POWER = r"-?\d+(?:\.\d+)?[eE][+-]?\d+\b"
_LITERAL = (
    r"(?P<value>`[^`]+`|\"[^\"]*\"|“[^”]+”|'[^']*'|(?:True|False|None|null|true|false|empty string)\b"
    rf"|{_POWER}|{NUMBER})"
)
_ENDS = r"(?P<rest>(?:\s?%|\s+(?!alone\b|only\b|itself\b)[a-z][\w-]*)?)$"
_DEFAULTS_TO = pattern(
    rf"^(?:(?P<subject>.*?)\s+)?(?P<verb>(?:{MODAL}\s+)?defaults?)\s+to:?\s+{_LITERAL}{_ENDS}",
    re.IGNORECASE,
    only_with="default",
)
_THE_DEFAULT = pattern(
    rf"^(?:the\s+|its\s+)?default(?:\s+(?:and|or)\s+\w+)?(?:\s+(?:value|setting))?(?:\s+(?:of|for)\s+(?P<subject>[^,]*?)|\s+(?!is\b"
    rf"|value\b)(?P<named>[\w` -]+?))?\s+"
    rf"(?P<verb>is|{MODAL}\s+be)\s+{_LITERAL}{_ENDS}",
    re.IGNORECASE,
    only_with="default",
)
_BY_DEFAULT = pattern(
    rf"^(?P<subject>.*?)\s+(?P<verb>is|are|{MODAL}\s+be)\s+{_LITERAL}(?P<rest>(?:\s?%|\s+[a-z][\w-]*)?)"
    rf"\s+by default$",
    re.IGNORECASE,
    only_with="by default",
)
_BY_DEFAULT_FIRST = pattern(
    rf"^by default,?\s+(?P<subject>.*?)\s+(?P<verb>is|are)\s+{_LITERAL}{_ENDS}",
    re.IGNORECASE,
    only_with="by default",
)
_FIRST_DEFAULT = pattern(r"by default\b", re.IGNORECASE)
_NO_CASE = pattern(r"^by default(?: and )?", re.IGNORECASE)
_IN_BRACKETS = pattern(
    rf"[(\[]\s*(?:optional\s*[,;]\s*)?default(?:s to|:| is|\s*=)?\s*{_LITERAL}\s*[)\]](?=$|\.$|:\s)",
    re.IGNORECASE,
    only_with="default",
)

# "Failures default to 1.0", "`None` defaults to `index`", "an invalid shelf defaults to `x`" say what becomes of them.
_HAPPENS = pattern(
    r"(?:none|null|true|false|failures|errors|exceptions|misses|mismatches|collisions|conflicts|failed \w+s"
    r"|absence|(?:an?\s+)?(?:invalid|malformed|bad|wrong|negative|unrecogni[sz]ed|unsupported|non-\w+)\s.+)",
    re.IGNORECASE,
)
# "The default is `2 × quantiles`": what it is has to be worked out.
_WORKED_OUT = pattern(r"^[^\"']*[\w)]\s[×*+/%]\s[\w(]|^[\w.]+\([^()]+\)")
# "Defaults to `~/.config/…`" leaves out a part of it.
_CUT = pattern(r"(?:…|\.\.\.)[`\"'”]?$")
# "Omitting `model` defaults to `inherit`", "an omitted model defaults to `inherit`".
_OMITTED = pattern(r"(?:omitting\s+|(?:an?\s+|the\s+)?(?:omitted|unspecified|missing)\s+)", re.IGNORECASE)
# "Then overwrite `file` Defaults to True".
_STOP_MISSING = pattern(r".+\sDefaults\s")
_SEVERAL = pattern(r":\s.*:\s|[(\[][^()\[\]]*\bdefault", re.IGNORECASE)
_OPTIONAL = pattern(r"\s+(?:is|are) (?:optional|required|not required) and$", re.IGNORECASE)

# Of what is a type, the names of types are values.
_KIND = pattern(r"(?:types?|kinds?|formats?|dtypes?)`?$", re.IGNORECASE)
# What takes `Text` or `str` takes things of these types.
_EITHER = pattern(r"\s(?:is|are|be) either\s", re.IGNORECASE)
_OF_A_STATE = pattern(
    r"[`\"]|\b(?:status|state|role|priority|category|kind|type|mode|format|level|value|order|direction)$",
    re.IGNORECASE,
)
# "One of low, medium, high (default: medium)".
_DEFAULT_BEHIND = pattern(r"\s\(defaults?(?:\sto|\sis|:)?\s[^()]{1,40}\)$", re.IGNORECASE)
# "One of `nn.Linear` or `nn.Embedding`": classes, of which an object is.
_CLASSES = pattern(r"`(?:\w+\.)+[A-Z][a-z]\w*`")
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
    if expression is _IS_ONE_OF and len(bare - {"or"}) == len(values) == 2 and _is_a_trait(match):
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
    modality, negated = force(match.groupdict().get("verb") or "")
    if about and _ANY_VALUES.fullmatch(about):
        about = None
    yield claimed(Claimed.ENUMERATION, sentence, about, values, modality, negated)


def _is_a_trait(match: re.Match[str]) -> bool:
    """Whether two words tell how something is: `a drawing is either flat or deep`."""
    return _EITHER.search(match[0]) is not None and _OF_A_STATE.search(match["subject"] or "") is None


def defaults(sentence: Sentence) -> Iterator[Claim]:
    """The default values that a sentence claims; only literals are values."""
    said = sentence.said
    # What stands in brackets behind several labels may be the default of any of them.
    bracketed = _IN_BRACKETS.search(sentence.words)
    if bracketed and _SEVERAL.search(sentence.words[: bracketed.start()] + sentence.words[bracketed.end() :]):
        bracketed = None
    match = (
        _THE_DEFAULT.match(said)
        or _DEFAULTS_TO.match(said)
        or _BY_DEFAULT_FIRST.match(_with_default(sentence))
        or _BY_DEFAULT.match(said)
        or bracketed
    )
    if match is None or _STOP_MISSING.match(match[0]):
        return
    named = match.groupdict().get("named")
    if named:
        about, known = noun_phrase(named), noun_phrase(named) is not None
    elif match is bracketed:
        # What follows the brackets tells of the value, not of the default.
        label = sentence.words[: match.start()].strip()
        about, known = (label.strip("`") if _CODE.fullmatch(label) else None), True
        sentence = sentence._replace(condition="")
    else:
        about, known = about_whom(match)
    if not known or _HAPPENS.fullmatch(about or ""):
        return
    written = match["value"]
    if about is None and (given := _ASSIGNED.fullmatch(written)):
        # "(default `limit=20`)", "the default is `limit: 20`"
        about, written = given["name"], f"`{given['value']}`"
    if _WORKED_OUT.search(written.strip("`")) or _GIVES.fullmatch(written) or _CUT.search(written):
        return
    if about is not None and _ASSIGNED.fullmatch(written):
        return
    value, unit = _literal(written, match.groupdict().get("rest") or "")
    modality, negated = force(match.groupdict().get("verb") or "")
    if modality != "may" and not negated:
        sentence = sentence._replace(condition=_NO_CASE.sub("", sentence.condition))
        yield claimed(Claimed.DEFAULT, sentence, about, value, modality, negated, unit)


def claimed(
    kind: Claimed,
    sentence: Sentence,
    about: str | None,
    value: Json,
    modality: str,
    negated: bool,
    unit: str = "",
) -> Claim:
    """A claim that a value stands for its subject, in the words of the sentence."""
    return Claim(
        kind=kind,
        subject=about,
        comparator="=",
        value=value,
        unit=unit,
        modality=modality,
        negated=negated,
        condition=sentence.condition,
        words=sentence.words,
        line=sentence.line,
    )


def about_whom(match: re.Match[str]) -> tuple[str | None, bool]:
    """The subject, and whether the words before the verb could be understood."""
    written = match.groupdict().get("subject")
    if not written or not written.strip():
        return None, True
    if written.strip().lower() in (
        "it",
        "this",
        "the value",
        "value",
        "must",
        "the default",
        "and",
        "always",
    ):
        return None, True
    about = subject(_OMITTED.sub("", _OPTIONAL.sub("", written.strip()), count=1))
    return about, about is not None


def _joined(text: str) -> str:
    """The list with commas only, so that `or` and `and` are no values."""
    return _QUOTED_CODE.sub(r"`\1`", re.sub(r"\s*,?\s+(?:or|and)\s+", ", ", text))


def _with_default(sentence: Sentence) -> str:
    return f"By default {sentence.said}" if _FIRST_DEFAULT.match(sentence.words) else sentence.said


def _literal(text: str, rest: str) -> tuple[Json, str]:
    """The value that a literal writes, and its unit."""
    if prefixed := _PREFIXED.fullmatch(text.strip("`")):
        return prefixed[2], ""
    inner = text.strip("`")
    if len(inner) > 1 and inner[:1] in "\"'" and inner[:1] == inner[-1:]:
        return inner[1:-1], ""
    bare = inner if "`" in text else text.strip("\"“”'")
    if text[:1] in "\"“'" and text[:1]:
        return bare, ""
    if bare.lower() in ("true", "false", "none", "null", "empty string"):
        return {"true": True, "false": False, "empty string": ""}.get(bare.lower()), ""
    if bare[:1] in "\"'" and len(bare) > 1 and bare[:1] == bare[-1:]:
        return bare[1:-1], ""
    if re.fullmatch(_POWER, bare):
        return float(bare), ""
    if re.fullmatch(NUMBER, bare, re.IGNORECASE):
        size = measured(number(bare), rest)
        return size.value, size.unit
    return bare, ""
