"""The story's sentence, "As a … I want … so that …", told apart from prose that merely resembles it."""

from __future__ import annotations

import re
from typing import NamedTuple

from ingest.stories import chinese

_ROLE = re.compile(rf"\bas\s+(?:an?|the)\b\s*:?\s*|{chinese.FIRST}", re.IGNORECASE)
_WANT = re.compile(
    r"\b(?:I|we)(?:\s+(?:really\s+|also\s+)?(?:want|wish|need|must|can|should|would\s+(?:like|love|want)|expect|have\s+to)"
    r"|['’]d\s+(?:like|love))\b\s*:?\s*(?:(?:to\s+)?(?:be\s+able\s+)?to\s+)?",
    re.IGNORECASE,
)
_BENEFIT = re.compile(
    r"\b(?:so\s+that\b|in\s+order\s+(?:to|that)\b|so\s+(?=(?:I|we)\b))\s*:?\s*", re.IGNORECASE
)
_FIRST = re.compile(
    rf"(?:as\s+(?:an?|the)\b|in\s+order\s+(?:to|that)\b|so\s+that\b|{chinese.FIRST})", re.IGNORECASE
)
_CHINESE = re.compile(chinese.SENTENCE)
_NO_CHINESE_ROLE = re.compile(chinese.NO_ROLE)
_SENTENCE_END = re.compile(r"[.!?](?:\s+(?=[A-ZÀ-Þ])|\s*$)")
_PLACEHOLDER = re.compile(
    r"<[^>]{1,80}>|\{[^}]{1,80}\}|\[[^\]]{1,80}\]|\.\.\.|…|_{2,}"
    r"|^\(.*\)$|^(?:some\s+|type\s+of\s+|kind\s+of\s+)?(?:role|persona|user\s+role|type\s+of\s+user|user\s+type|goal|action|feature|something"
    r"|do\s+something|benefit|reason)$",
    re.IGNORECASE,
)
_NO_ROLE = re.compile(
    r"(?:direct\s+|natural\s+|first\s+|last\s+|next\s+|general\s+|side\s+|good\s+|final\s+)*"
    r"(?:result|consequence|rule|whole|note|matter|example|reminder|resort|step|start|bonus|precaution|workaround"
    r"|compromise|test|exercise|side\s+effect|follow-?up|way|means|replacement|alternative|convenience)\b",
    re.IGNORECASE,
)
_EDGES = " \t\n,;:.-–—*_，；：。"
_LONGEST = 4000
_LONGEST_ROLE = 120


class Sentence(NamedTuple):
    """Who wants what and why; `benefit` is empty where the sentence does not say."""

    role: str
    want: str
    benefit: str


def begins_story(text: str) -> bool:
    """Whether a text starts as a story's sentence does, so that the next lines may complete it."""
    return _FIRST.match(text.lstrip(_EDGES)) is not None


def has_role(text: str) -> bool:
    """Whether a text names the role right where it starts."""
    return _ROLE.match(text.lstrip(_EDGES)) is not None


def parse_sentence(text: str) -> Sentence | None:
    """The sentence that a text starts with, or None where it is none, or only a template for one."""
    text = " ".join(text[:_LONGEST].split()).lstrip(_EDGES)
    if match := _CHINESE.match(text):
        return _chinese(match)
    if (
        not _FIRST.match(text)
        or not (role := _ROLE.search(text))
        or not (want := _WANT.search(text, role.end()))
    ):
        return None
    before = _BENEFIT.match(text)
    if role.start() and not (before and before.end() <= role.start()):
        return None
    person = text[role.end() : want.start()].strip(_EDGES)
    after = _BENEFIT.search(text, want.end())
    goal = _until_full_stop(text[want.end() : after.start() if after else len(text)], whole=after is not None)
    benefit = ""
    if before:
        benefit = text[before.end() : role.start()].strip(_EDGES)
    elif after:
        benefit = _until_full_stop(text[after.end() :])
    if not person or not goal or len(person) > _LONGEST_ROLE or _NO_ROLE.match(person):
        return None
    if any(_PLACEHOLDER.search(part) for part in (person, goal)):
        return None
    return Sentence(person, goal, benefit)


def _chinese(match: re.Match[str]) -> Sentence | None:
    role, want = match["role"].strip(_EDGES), match["want"].strip(_EDGES)
    benefit = (match["benefit"] or "").strip(_EDGES)
    if not want or _NO_CHINESE_ROLE.match(role) or any(_PLACEHOLDER.search(part) for part in (role, want)):
        return None
    return Sentence(role, want, benefit)


def _until_full_stop(text: str, *, whole: bool = False) -> str:
    end = None if whole else _SENTENCE_END.search(text)
    return text[: end.start() if end else len(text)].strip(_EDGES)
