"""Whom or what a clause speaks of, and with how much force."""

from __future__ import annotations

import re
from typing import NamedTuple

from graph.patterns import pattern
from ingest.claims.elsewhere import is_elsewhere
from ingest.claims.vocabulary import NOT_NOUNS

MODAL = (
    r"(?:cannot|can[’']t|mustn[’']t|shouldn[’']t|won[’']t"
    r"|must|shall|should|may|can|will|ought to|has to|have to|needs? to)"
)
"""A pattern for one modal verb."""

_MODALS = pattern(rf"\b(?P<modal>{MODAL})\b(?:\s+(?P<denied>not|never))?", re.IGNORECASE)
_DENIED = pattern(
    r"\b(?:not|never|cannot|neither|nor|doesn[’']t|don[’']t|isn[’']t|aren[’']t)\b|n[’']t\b", re.IGNORECASE
)
_ARTICLE = pattern(
    r"^(?:the|a|an|param|each|every|any|all|its|their|his|her|your|my|our|and|but|then|also|both|"
    r"(?:given|then|when|and|but)\s+the)\s+",
    re.IGNORECASE,
)
_NAME = r"(?:`[^`]+`|\"[^\"]+\"|“[^”]+”|[A-Za-z][\w'’./-]*)"
_NOUN_PHRASE = pattern(rf"{_NAME}(?:\s+{_NAME}){{0,4}}")
_WITHOUT_MARKS = str.maketrans("", "", '`"“”')
_SORT = pattern(r"(?<=\w)\s+(?:field|parameter|property|argument)$")
_ADVERB = pattern(
    r"(?:(?<=\s)|^)(?:still|also|always|usually|typically|generally|\w+(?<!fami)(?<!rep)(?<!supp)ly)$"
)
_BROKEN = pattern(r"(?:^|\s)(?:to|of|in|on|at|for|with|by|from|as)$|['’](?:ll|ve|re|d|m)\b", re.IGNORECASE)
# What does something, is one of several, or needs what was said before, names no thing.
_NO_THING = pattern(
    r"^\w+ing\s+(?:the|an?|to|in|on|of|at|for|with|sure|that|any|all|each|every|this|these|non-?\w*)\b"
    r"|^(?:making|using|calling|passing|returning|accessing|setting|getting|creating|deleting|adding|removing"
    r"|changing|updating|checking|testing|trying|taking|giving|having|being|doing|sending|raising|throwing|reading"
    r"|writing|logging|to|validate|verify|ensure|confirm|assert|enforce|reject|accept|make|let|remove|add|generate|calculate"
    r"|compute|provide|require|allow|prevent|handle|convert|apply|retrieve|wait|see|prefer|consider|keep|configure"
    r"|define|specify|install|enable|disable|use|set|run|call|pass|send|write|export|import|select|choose|pick)\s"
    r"|^(?:recent|newer|older)\s"
    r"|\b(?:others?|another|same|previous|next|last|first|second|third|remaining|rest|such|own|two|three"
    r"|four|five|six|various|different|certain|additional|later|earlier|to|from|by|with|as|after|before|into|than|via"
    r"|being|when|default|defaults)\b|\d+\s|\s(?:ones?|unknown)$",
    re.IGNORECASE,
)
_MARKED = pattern(r"`[^`]*`|\"[^\"]*\"|“[^”]*”")
_CAPITAL = pattern(r"[A-Z][a-z]+\b")
_JOINED = pattern(r",|\b(?:and|or|but|if|when|unless|because|so)\b", re.IGNORECASE)
_RELATIVE = pattern(
    r"\b(?:that|which|who|whose|with|without|of|longer|shorter|larger|for|to|by|in|on)\b", re.IGNORECASE
)


class Force(NamedTuple):
    """How a statement is meant."""

    modality: str
    negated: bool


def force(words: str) -> Force:
    """The modality of a verb phrase, plain statements being meant as `must`, and whether it is denied."""
    match = _MODALS.search(words)
    if match is None:
        return Force("must", _DENIED.search(words) is not None)
    modal = match["modal"].lower().replace("’", "'")
    denied = bool(match["denied"]) or modal == "cannot" or modal.endswith("'t")
    if modal.startswith(("should", "ought")):
        return Force("should", denied)
    if denied:
        return Force("must not", True)
    return Force("may" if modal in ("may", "can") else "must", False)


# "The way the value", "`description` any number": a second thing without a word that joins it belongs to a clause.
_CLAUSE = pattern(
    r"(?<!\bof)(?<!\bin)(?<!\bfor)(?<!\bto)(?<!\bon)(?<!\bat)(?<!\bby)(?<!\bfrom)(?<!\bwith)(?<!\band)(?<!\bor)"
    r"(?<!\bper)(?<!\binto)(?<!\bunder)(?<!\bwithout)(?<!\bbetween)(?<!\bthan)(?<!\bwithin)(?<=[\w`])\s(?:the|an|any|each|every)\s[\w`\"]",
    re.IGNORECASE,
)


def noun_phrase(text: str) -> str | None:
    """The text as a short noun phrase without its article and marks, or None where it is something else."""
    bare = text.strip(" ,")
    while (shorter := _ARTICLE.sub("", bare)) != bare:
        bare = shorter
    bare = _ADVERB.sub("", bare)
    if not _NOUN_PHRASE.fullmatch(bare) or _BROKEN.search(bare) or _CLAUSE.search(bare):
        return None
    if bare.startswith("`") and bare.count("`") == 2 and bare.endswith("`"):
        return bare.strip("`") or None
    words = bare.replace('"', "").split()
    plain = [word for word in words if "`" not in word]
    if (
        any(word.lower() in NOT_NOUNS or word.lower().endswith(("n't", "n’t")) for word in plain)
        or is_elsewhere(plain)
        or _NO_THING.search(_MARKED.sub("name", bare))
    ):
        return None
    bare = _SORT.sub("", bare.translate(_WITHOUT_MARKS))
    return (bare[:1].lower() + bare[1:] if _CAPITAL.match(bare) else bare) or None


def subject(before: str) -> str | None:
    """The noun phrase that the words before a verb are, if they are one and nothing else."""
    text = before.strip()
    return noun_phrase(text) if text[-1:] not in (",", ";", ":") else None


def described(before: str) -> str | None:
    """The subject with what narrows it: `book that does not exist`; else as `subject` gives it."""
    text = _ADVERB.sub("", before.strip(" ,;:")).rstrip()
    bare = text
    while (shorter := _ARTICLE.sub("", bare)) != bare:
        bare = shorter
    if (
        not _JOINED.search(bare)
        and 2 < len(bare.split()) <= 9
        and (bare != text or bare[0] == "`")
        and _RELATIVE.search(bare)
    ):
        head = _RELATIVE.split(bare)[0]
        if head and noun_phrase(head) and not is_elsewhere(bare.split()):
            return bare
    return subject(text)
