"""Words in criteria that nobody can verify: `fast`, `user-friendly`, `if possible`, `and/or`, `etc.`"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from graph.patterns import pattern

_VAGUE = pattern(
    r"(?<![\w-])(?:(?P<word>fast|quick(?:ly)?|swift(?:ly)?|user[- ]friendly|intuitive(?:ly)?"
    r"|seamless(?:ly)?|effortless(?:ly)?"
    r"|easy to (?:use|read|understand|learn|find)|robust(?:ly)?|efficient(?:ly)?|scalable|performant"
    r"|state[- ]of[- ]the[- ]art"
    r"|adequate(?:ly)?|sufficient(?:ly)?|reasonabl[ey]|appropriate(?:ly)?|as appropriate|as (?:needed"
    r"|necessary|required|applicable)"
    r"|(?:if|where|when(?:ever)?) (?:possible|feasible|practical|appropriate|applicable)|as (?:soon|far"
    r"|much|little|fast|quickly)"
    r" as possible|in a timely manner|timely|best effort|nice[- ]looking|good[- ]looking|modern[- ]looking"
    r"|visually appealing"
    r"|acceptable|satisfactory|and/or|and so on|and so forth|TBD|TBC|NEEDS CLARIFICATION"
    r"|(?:(?<=^)|(?<=\bis )|(?<=\bare )|(?<=\bstill )|(?<=[(\[:]))to be (?:defined|determined|decided)"
    r")(?![\w-])|(?P<etc>etc\.?)(?!\w))",
    re.IGNORECASE,
)
# What says of itself that something is still open, whatever else the sentence says.
_OPEN = pattern(r"TBD|TBC|NEEDS CLARIFICATION|to be", re.IGNORECASE)
_QUOTED = pattern(r"\"[^\"\n]*\"|“[^”\n]*”|`[^`\n]*`|'[^'\n]{1,40}'(?!\w)")
# Where a measure stands beside it, the word is explained; "fast track" and "quick search" are names.
_MEASURE = pattern(r"\d")
# "Sufficient to restore a set" says for what, "sufficient iff" when, and to fail fast is to fail at once.
_SAID_FOR_WHAT = pattern(
    r"(?:sufficient|adequate|acceptable)(?:ly)?\s+(?:to|for|iff?|when|only|unless)\b", re.IGNORECASE
)
_DENIED = pattern(r"(?:\b(?:not|never|nor)|n[’']t)\s+(?:(?:be|itself|alone)\s+)?$", re.IGNORECASE)
_JUDGED = frozenset({"sufficient", "adequate", "acceptable", "satisfactory"})
_FAILS = pattern(r"\bfail(?:s|ing|ed)?[\s-]+$", re.IGNORECASE)
_NAMES = pattern(
    r"\s+(?:track|lane|path|forward|food|search|start|link|links|view|filter|filters|add|reply|action|actions"
    r"|access|order|buy)\b",
    re.IGNORECASE,
)


class Vague(NamedTuple):
    """One word, the line of the text it stands on (from 0), and its column in that line (from 1)."""

    word: str
    row: int
    column: int
    marked: str


def vague_words(text: str) -> Iterator[Vague]:
    """The vague words of a text, in order; a sentence with a number in it is taken as exact enough."""
    plain = _QUOTED.sub(lambda match: " " * len(match[0]), text)
    for number, row in enumerate(plain.split("\n")):
        for match in _VAGUE.finditer(row):
            start, end = _around(row, match.start(), match.end())
            exact = _MEASURE.search(row[start:end]) and not _OPEN.match(match[0])
            if exact or _NAMES.match(row, match.end()) or _SAID_FOR_WHAT.match(row, match.start()):
                continue
            if match[0].lower() == "fast" and _FAILS.search(row[: match.start()]):
                continue
            if match[0].lower() in _JUDGED and _DENIED.search(row[: match.start()]):
                continue
            shown = text.split("\n")[number][start:end].strip()
            yield Vague(match[0], number, match.start() + 1, shown.replace(match[0], f"»{match[0]}«", 1))


def _around(row: str, first: int, last: int) -> tuple[int, int]:
    """The sentence around a place in a line."""
    start = max((row.rfind(mark, 0, first) for mark in (". ", "! ", "? ", "; ")), default=-1)
    ends = [place for mark in (". ", "! ", "? ", "; ") if (place := row.find(mark, last)) >= 0]
    return (start + 2 if start >= 0 else 0), (min(ends) if ends else len(row))
