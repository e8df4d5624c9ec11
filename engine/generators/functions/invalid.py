"""Conditions that call a text invalid or a type wrong, as docstrings write them, and a value that meets them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from crossval.compare.annotations import parse_expression
from engine.generators.functions.calls import VAR_KEYWORD, VAR_POSITIONAL, Parameter
from engine.generators.functions.conditions import Met, alternatives, bare
from engine.generators.functions.lengths import measured
from engine.generators.functions.type_checks import types_in
from planner.functions.drawn_values import words_of

INVALID = '"[not valid"'
"""A text that is of no form, as source: no number, date, name, address, expression or document in a known language."""

_VALID = (
    r"(?:valid|well-?formed|correct|proper|legal|parse?able|decodable|recogni[sz]ed|recogni[sz]able"
    r"|understood|supported|known)"
)
_WRONG = (
    r"(?:invalid|malformed|ill-?formed|unparse?able|unsupported|unrecogni[sz]ed|unknown|illegal"
    r"|(?:badly|incorrectly|wrongly|improperly) (?:formatted|formed)|not (?:correctly|properly) (?:formatted|formed))"
)
_READ = r"(?:parsed|decoded|interpreted|understood|recogni[sz]ed|deseriali[sz]ed|converted)"
# What may stand behind: what form it is, and not where, when, or for what it would do.
_REST = r"(?: (?!(?:and|at|because|but|for|in|on|unless|when|where|while|with|without|yet)\b)[\w/.-]+){0,5}"
_TOLD = re.compile(
    rf" (?:(?:is|was|be) not {_VALID}{_REST}|(?:is|was) {_WRONG}{_REST}"
    rf"|(?:cannot|can't|can not|could not|couldn't) be {_READ}{_REST}"
    r"|(?:is|was) (?:not (?:within|among|in|one of|part of)|none of) "
    r"(?:supported|allowed|valid|known|accepted|available) [\w ]{1,30}"
    r"|(?:does not|doesn't) (?:match|conform to|follow) (?:expected |required |supported )?"
    r"(?:format|syntax|grammar|pattern|(?i:pep ?\d+|iso[ -]?\d+|semver|semantic versioning))"
    rf"|(?:has|is in|is of|uses) {_WRONG} (?:format|syntax|form)|contains (?:invalid|illegal|unsupported) characters?)"
)
_BEFORE = re.compile(
    rf"(?:(?:on|upon|for) )?{_WRONG} (\w+)(?: (?:is|was))?(?: (?:passed|supplied|found|encountered|used))?"
)
# What no object that is nothing else is.
_NO_TYPE = re.compile(
    r" (?:(?:is|was) not (?:of )?(?!\w*hash\w*\b|None\b|null\b|set\b|objects?\b)\w[\w.]*(?: [\w.]+){0,6}"
    r"|(?:is|has|is of) (?:wrong|invalid|unsupported|unknown|incorrect|unexpected) (?:data )?types?"
    r"|type is not (?:supported|known))"
)
# The same of whatever is given.
_ANY_TYPE = re.compile(
    r"(?:(?:all|some|one) (?:of )?)?(?:inputs?(?: (?:values?|data|types?|arguments|parameters))?|operands?|arguments"
    r"|parameters|values?|types?)(?: (?:is|are|has|have))?(?: of)?"
    r" (?:wrong|invalid|incorrect|unsupported|unexpected)(?: (?:data )?types?)?"
)
_BEYOND = re.compile(
    r" (?:(?:is|was|falls|lies) )?(?:out of|out-of|outside|outside of|not in|not within|beyond) "
    r"(?:\w+ ){0,2}(?:range|ranges|bounds)(?: of \d+(?:\.\.|-|–)\w+)?(?: (?:of|for) [\w ]{1,20})?"
)
_FAR = "-1000000000"
_NUMBERS = frozenset({"int", "float"})
# What the only text that a function takes is called, whatever its name, with at most one word before.
_THING = re.compile(
    r"(?:(?!default\b|other\b|resulting\b|returned\b)[\w-]+ )?(?:input|string|text|data|value|expression)\b"
)
# What is known of a text by more than its form: raised for a text of the form, or not at all for this one.
_OTHERWISE = re.compile(
    r"\b(?:utf|ascii|unicode|latin|encod\w+|length|size|range|checksum|digest|signature|base-?64|b64|padding"
    r"|types?|file|path|directory|folder|stream|url|uri|host|expired|password|regular|regex|markdown|html|bytes?)\b|utf-",
    re.IGNORECASE,
)
# What has a function raise, where it is true.
_STRICT = frozenset({"check", "errors", "raise", "strict", "validate"})
# With these a function may do something else than raise.
_LENIENT = frozenset(
    {
        *("check", "default", "errors", "fallback", "force", "ignore", "lenient", "raise", "safe"),
        *("silent", "strict", "validate"),
    }
)
_TEXTS = frozenset({"str", "bytes"})


def invalid(exception: str, words: str, parameters: Sequence[Parameter]) -> Met | None:
    """A value that meets a condition of one parameter's form, range or type; None where the words say more.

    Of a text "that is not a valid date" one that is nothing, and an object that is nothing else where a `TypeError` is
    raised for what is of no type that is taken.
    """
    if exception == "TypeError":
        return _untaken(words, parameters)
    if exception.startswith("Unicode") or exception.endswith("Warning"):
        return None
    return unread(words, parameters) or beyond(words, parameters) or measured(words, parameters)


def unread(words: str, parameters: Sequence[Parameter]) -> Met | None:
    """A text that meets a condition such as "if `text` is not a valid date"; None where the words say more.

    Nothing is known where an option of the function may keep it from raising, or where the form is not all.
    """
    if _OTHERWISE.search(words) or any(map(_may_forgive, parameters)):
        return None
    for part in alternatives(words) or [words.lower().rstrip(" .")]:
        found = _subject(bare(part), parameters)
        if found is not None and (types := _kinds(found.annotation) & _TEXTS):
            return Met(found.name, INVALID if "str" in types else f"b{INVALID}")
    return None


def _may_forgive(parameter: Parameter) -> bool:
    """Whether a function may do something else than raise by an option, as it is when it is left out."""
    words = set(words_of(parameter.name))
    is_strict = bool(words & _STRICT) and parameter.default in ("True", "'strict'")
    return bool(words & _LENIENT) and not is_strict


def beyond(words: str, parameters: Sequence[Parameter]) -> Met | None:
    """A number below all that is counted, for the parameter that is out of a range, which has none below zero."""
    if any(map(_may_forgive, parameters)):
        return None
    for part, each in itertools.product(map(bare, alternatives(words)), parameters):
        if part.startswith(each.name) and _BEYOND.fullmatch(part[len(each.name) :]):
            return Met(each.name, _FAR) if _kinds(each.annotation) & _NUMBERS else None
    return None


def _untaken(words: str, parameters: Sequence[Parameter]) -> Met | None:
    """An object that is nothing else, for the parameter that has to be of some type."""
    parts = [bare(each) for each in alternatives(words)[:1]]
    for part, each in itertools.product(parts, sorted(parameters, key=lambda one: -len(one.name))):
        text = re.sub(r"\b(is|was)n['’]t\b", r"\1 not", part)
        if text.startswith(each.name) and _NO_TYPE.fullmatch(text[len(each.name) :]):
            return Met(each.name, "object()")
    required = [each for each in parameters if each.required]
    is_told = any("type" in each and _ANY_TYPE.fullmatch(each.strip()) for each in parts)
    return Met(required[0].name, "object()") if required and is_told else None


def _subject(part: str, parameters: Sequence[Parameter]) -> Parameter | None:
    """The parameter that a part of a condition calls invalid."""
    text = re.sub(r"\b(is|was|does)n['’]t\b", r"\1 not", part)
    named = [each for each in parameters if each.kind not in (VAR_POSITIONAL, VAR_KEYWORD)]
    if (before := _BEFORE.fullmatch(text)) is not None:
        return _called(before[1], named)
    for each in sorted(named, key=lambda one: -len(one.name)):
        rest = text[len(each.name) :]
        others = {one.name for one in named} - {each.name}
        if text.startswith(each.name) and _TOLD.fullmatch(rest) and not others & set(rest.split()):
            return each
    thing = _THING.match(text)
    if thing is None or not _TOLD.fullmatch(text[thing.end() :]):
        return None
    return _called(thing[0].split()[-1], named)


def _called(word: str, named: Sequence[Parameter]) -> Parameter | None:
    """The parameter of a name, or the only one of all."""
    found = next((each for each in named if each.name == word), None)
    return found or (named[0] if len(named) == 1 and _THING.fullmatch(word) else None)


def _kinds(annotation: str | None) -> frozenset[str]:
    """Of which types a parameter may be."""
    return frozenset(types_in(parse_expression(annotation or "")))
