"""How words say that a thing stands in a state, does not, or comes to: `a running job`, `The ticket, now closed`."""

from __future__ import annotations

import re

SOMETIMES = re.compile(
    r"\b(?:unless|except|only|by|without|as an?|other than|from|into|to|if|twice|together|more than|within)\b",
    re.I,
)
"""What may say that it is so for some callers, or under a further condition."""
_CANNOT = re.compile(
    r"\b(?:can ?not|can[’']t|may not|must not|nobody|no one|not possible|refused|rejected|no)\b", re.I
)
_WHERE = frozenset({"at", "in", "off", "on", "out", "under"})
"""How words begin that may stand behind a thing: `a doctor on leave`."""


def says(text: str, value: str, noun: str) -> bool:
    """Whether a text speaks of a thing that stands so: `a running job`, `a job that is running`."""
    word = word_of(value)
    many = f"{re.escape(noun.removesuffix('y'))}ies|" if noun.endswith("y") else ""
    thing = rf"\b(?:{many}{re.escape(noun)}(?:e?s)?)\b"
    ahead = rf"(?<!not )(?<!not_)(?<!longer )(?<!non-)(?<!un)\b{word}\s+{thing}"
    now = r"(?:already\s+|still\s+|currently\s+)?(?:[a-z]+\s+or\s+)?"
    being = r"(?:(?:that|which|who)\s+)?(?:is|are|has been|have been|was|were)\s+"
    behind = rf"{thing},?\s+{being}{now}(?:an?\s+)?{word}\b(?!\s+by\b)"
    where = rf"|{thing}\s+{word}\b" if value.partition("_")[0] in _WHERE else ""
    return re.search(f"{ahead}|{behind}{where}", text, re.IGNORECASE) is not None


def is_already(words: str, value: str) -> bool:
    """Whether words say of a thing without naming it that it stands so: `Already cancelled`, `It is still running`."""
    said = rf"\W*(?:it\s+|this\s+)?(?:is\s+)?(?:already|still|currently)\s+{word_of(value)}\b"
    return re.match(said, words, re.IGNORECASE) is not None


def says_new(text: str, value: str, noun: str) -> bool:
    """Whether words say how a new thing stands: `The new draft`, `Create a draft`, `It starts available`."""
    word = word_of(value)
    made = rf"\bnew\s+{word}\W*$|\bcreates?\s+an?\s+(?:new\s+)?{word}\W*$"
    starts = rf"\b(?:starts|begins)\s+(?:as\s+)?(?:an?\s+)?{word}\b|,\s+{word}\W*$"
    return says(text, value, noun) or re.search(f"{made}|{starts}", text, re.IGNORECASE) is not None


def says_now(text: str, value: str, noun: str) -> bool:
    """Whether the words of an answer say how a thing stands now: `The ticket, now closed`, `The closed ticket`."""
    word = word_of(value)
    now = rf"\b(?:now|is|as)\s+{word}\b|(?<!not )\b{word}\s+(?:again|now)\b|,\s+(?:now\s+)?{word}\W*$"
    return says(text, value, noun) or re.search(now, text, re.IGNORECASE) is not None


def refuses(clause: str, value: str, noun: str) -> bool:
    """Whether the words of a refusal say that it is for a thing that stands so."""
    return not SOMETIMES.search(clause) and (says(clause, value, noun) or is_already(clause, value))


def denies(text: str, value: str, noun: str) -> bool:
    """Whether words say that a thing does not stand so, or has to: `is not closed`, `Only a closed ticket …`."""
    word = word_of(value)
    lacks = rf"\b(?:not|n[’']t)\s+(?:yet\s+|been\s+|currently\s+|an?\s+)*{word}\b"
    only = rf"\bonly\s+(?:an?\s+|the\s+)?{word}\s+{re.escape(noun)}"
    must = rf"\bmust\s+(?:first\s+|already\s+)?(?:be|have been)\s+{word}\b"
    return re.search(f"{lacks}|{only}|{must}", text, re.IGNORECASE) is not None


def is_refusing(sentence: str) -> bool:
    """Whether a sentence says that something cannot be done, whoever asks."""
    return _CANNOT.search(sentence) is not None and not SOMETIMES.search(sentence)


def word_of(value: str) -> str:
    """The pattern of a word, or of several, however they are joined: `in_progress` is found in `in progress`.

    What is not so is also found as `unverified`, `not yet verified` or `no longer verified`.
    """
    plain = value[4:] if value[:4] in ("not_", "not ") else value
    pattern = r"[\s_-]+".join(re.escape(part) for part in re.split(r"[\s_-]+", plain) if part)
    if plain == value:
        return pattern
    return rf"(?:(?:not[\s_-]+(?:yet\s+|currently\s+|any\s*more\s+)?|no\s+longer\s+|non-?|un|in){pattern})"
