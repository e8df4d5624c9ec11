"""Claims of defaults: what stands where nothing is given."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from graph.facts import Json
from graph.patterns import pattern
from ingest.claims.claim import Claim, Claimed
from ingest.claims.numbers import NUMBER, measured, number
from ingest.claims.sentences import Sentence
from ingest.claims.subjects import MODAL, force, noun_phrase
from ingest.claims.values import about_whom, claimed
from ingest.claims.vocabulary import GIVEN, NO_DEEDS

_ASSIGNED = pattern(
    r"`(?P<name>[A-Za-z_]\w*)(?:\s?=\s?|:\s)(?P<value>[\w.+-]+|'[^'`]*'|\"[^\"`]*\")`",
)
# "`Hook` defaults to `fallback=Fallback()`": of whom what is given a value.
_GIVES = pattern(r"`[A-Za-z_]\w*\s?=(?!=)[^`]*`")
_PREFIXED = pattern(r"[rRuU](['\"])(.*)\1")
_CODE = pattern(r"`[^`]+`")
_POWER = r"-?\d+(?:\.\d+)?[eE][+-]?\d+\b"
_ONLY_A_POWER = pattern(_POWER)
_ONLY_A_NUMBER = pattern(NUMBER, re.IGNORECASE)
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
    rf"^(?:the\s+|its\s+)?default(?:\s+(?:and|or)\s+\w+)?(?:\s+(?:value|setting))?(?:\s+(?-i:of|for)\s+(?P<subject>[^,]*?)|\s+(?!is\b"
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
_WORKED_OUT = pattern(
    r"^[^\"']*[\w)]\s[×*+/%]\s[\w(]|^[\w.]+\([^()]+\)|^\d+\s?[*/]\s?[A-Za-z_]|^\w+\s?(?:~=|≈|==)"
)
# "Defaults to `~/.config/…`" leaves out a part of it.
_CUT = pattern(r"(?:…|\.\.\.)[`\"'”]?$")
# "Failures default to 1", "never defaults to 32": without an article, a mark, or the word for something that is given,
# what stands before the verb is seldom what has the default.
_DETERMINED = pattern(r"(?:the|an?|its|their|this|each|every|our|both)\s", re.IGNORECASE)
_NAME = pattern(r"[`\"“/]|\w_\w|\w-?\d|\b[a-z]+[A-Z]\w|(?:^|\s)--?\w|\w\.\w|^[A-Z]{2,}$")
# "The default is 16 zero-bytes" writes the value, and counts nothing.
_NO_UNIT = pattern(r"\s+\w+-\w+")
# "Then overwrite `file` Defaults to True".
_STOP_MISSING = pattern(r".+\sDefaults\s")
_SEVERAL = pattern(r":\s.*:\s|[(\[][^()\[\]]*\bdefault", re.IGNORECASE)


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
        sentence = msgspec.structs.replace(sentence, condition="")
    else:
        about, known = about_whom(match)
        # "The default for pos is 0" says whose it is.
        said_whose = match.re.pattern == _THE_DEFAULT.pattern
        known = known and (about is None or said_whose or _has_one(match["subject"].strip(), about))
    if (
        not known
        or _HAPPENS.fullmatch(about or "")
        or _NO_UNIT.fullmatch(match.groupdict().get("rest") or "")
    ):
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
        sentence = msgspec.structs.replace(sentence, condition=_NO_CASE.sub("", sentence.condition))
        yield claimed(Claimed.DEFAULT, sentence, about, value, modality, negated, unit)


def _has_one(written: str, about: str) -> bool:
    """Whether the words before the verb are shown to be a thing that may have a default."""
    head = about.partition(" of ")[0].partition(" for ")[0].rpartition(" ")[2].lower()
    return (
        _DETERMINED.match(written) is not None
        or _NAME.search(written) is not None
        or not {head, head.removesuffix("s")}.isdisjoint(GIVEN | NO_DEEDS)
    )


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
    if _ONLY_A_POWER.fullmatch(bare):
        return float(bare), ""
    if _ONLY_A_NUMBER.fullmatch(bare):
        size = measured(number(bare), rest)
        return size.value, size.unit
    return bare, ""
