"""The ids of stories and criteria: explicit ones as their authors wrote them, derived ones from a title."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

SLUG_LENGTH = 60

_KNOWN = (
    r"(?:US|UC|ST|STORY|USER-STORY|EPIC|FEAT|FEATURE|REQ|REQUIREMENT|FR|NFR|BR|AC|CRIT|CRITERION|SC|SCENARIO)"
)
_NUMBER = r"\d{1,9}(?:\.\d{1,9}){0,4}[a-z]?"
# `US-3`, `US3`, `US 3` for the usual prefixes; any other prefix in capitals needs its hyphen: `SHOP-12`.
# A criterion may be written with its story: `US-1/AC-2`.
_OF_STORY = r"(?:\s?[/.]\s?(?:AC|SC)[-_]?\d{1,4})?"
_USUAL = rf"(?i:{_KNOWN})[-_ #]{{0,2}}{_NUMBER}{_OF_STORY}"
# Names of standards look the same, and are none.
_STANDARDS = (
    "UTF|UCS|ISO|IEC|IEEE|DIN|EN|RFC|PEP|HTTP|HTTPS|TLS|SSL|SHA|MD|AES|RSA|CVE|CWE|ES|PKCS|UTC|GMT|GPT|CO"
)
_NO_PREFIX = rf"(?!(?:{_STANDARDS})-)"
_ANY = rf"{_NO_PREFIX}[A-Z][A-Z0-9]{{0,15}}(?:-[A-Z][A-Z0-9]{{0,15}}){{0,3}}[-_]{_NUMBER}{_OF_STORY}"
_BRACKETED = re.compile(rf"[\[(]\s?(?P<id>{_USUAL}|{_ANY})\s?[\])]\s*[:：.–—-]?\s*")
_LEADING = re.compile(rf"(?P<id>{_USUAL}|{_ANY})(?:\s*[:：–—|]\s*|\s+[-–—]\s+|\.\s+|\s*$)")
_LEADING_USUAL = re.compile(
    rf"(?P<id>(?!(?i:scenario|story|feature|epic|requirement))(?i:{_KNOWN})[-_]?{_NUMBER})\s+"
)
_RANGE = re.compile(rf"(?:{_USUAL}|{_ANY})\s*[–—-]\s*(?:{_USUAL}|{_ANY})(?!\s*[:：])")
# Of a project's own manner, without its hyphen: `R1.2 When …`.
_DOTTED = r"(?!(?:TLS|SSL|ES|PY|V)\d)[A-Z]{1,3}\d{1,3}(?:\.\d{1,3}){1,3}"
_LEADING_DOTTED = re.compile(rf"(?P<id>{_DOTTED})(?:\s*[:：–—|]\s*|\s+[-–—]\s+|\.\s+|\s+(?=[A-ZÀ-Þ`\"'“]))")
_LEADING_SPACED = re.compile(rf"(?P<id>{_ANY})\s+(?=[A-ZÀ-Þ`\"'“])")
_TRAILING = re.compile(rf"\s*[\[(]\s?(?P<id>{_USUAL})\s?[\])]$")
_WHOLE = re.compile(rf"(?:{_USUAL}|{_ANY})")
_SPELLED_OUT = re.compile(r"(?i:scenario|story|user-story|feature|criterion|requirement)\s#?\d")
_CRITERION = re.compile(r"(?:AC|CRIT|CRITERION|SC)(?![A-Z])|.*\d\.(?:\d|[AS]C)")
_REQUIREMENT = re.compile(r"(?:FR|NFR|REQ|REQUIREMENT|BR|SC|AC)(?![A-Z])")
_STORY = re.compile(r"(?:US|STORY|USER-STORY|EPIC|FEAT|FEATURE)(?![A-Z])[^.]*$")
_POSSESSED = re.compile(rf"(?:{_USUAL}|{_ANY})(?:['’]s\s|\s?(?:的|之))")
_MENTIONED = re.compile(rf"(?:{_USUAL}|{_ANY})\s+(?![A-ZÀ-Þ`\"'“–—-])")
_COUNTED = re.compile(r"(\D+)\d+")
_NO_WORD = re.compile(r"[\W_]+")


class Labelled(NamedTuple):
    """A text without its id; the id is empty where there was none."""

    id: str
    text: str


def split_id(text: str) -> Labelled:
    """The explicit id at the start of a text (or in brackets at its end), and the rest."""
    text = text.strip()
    if _RANGE.match(text):
        return Labelled("", text)
    for pattern in (_BRACKETED, _LEADING, _LEADING_USUAL, _LEADING_SPACED, _LEADING_DOTTED):
        if (match := pattern.match(text)) and not _SPELLED_OUT.match(match["id"]):
            return Labelled(normal_id(match["id"]), text[match.end() :].strip())
    if (match := _TRAILING.search(text[-80:])) and not _SPELLED_OUT.match(match["id"]):
        return Labelled(normal_id(match["id"]), text[: -len(match[0])].strip())
    return Labelled("", text)


def normal_id(text: str) -> str:
    """An id as a key: blanks and `#` become a hyphen, letters of the prefix become capitals."""
    joined = re.sub(r"[\s#_]+", "-", re.sub(r"\s?/\s?", ".", text.strip()))
    digit = re.search(r"\d", joined)
    return joined[: digit.start()].upper() + joined[digit.start() :] if digit else joined


def mentions_id(text: str) -> bool:
    """Whether a sentence begins with an id that it speaks of: `AC-3 tells why`, not `AC-3: Tell why`."""
    return _MENTIONED.match(text) is not None or possesses(text)


def possesses(text: str) -> bool:
    """Whether a text begins with what something of an id is: `AC-3's wording …`."""
    return _POSSESSED.match(text) is not None


def is_id(text: str) -> bool:
    """Whether a whole text (a tag, a table's cell) is an explicit id."""
    return _WHOLE.fullmatch(text) is not None


def counted(identifier: str) -> str:
    """What an id with one number has in common with others that count on: `AC-` of `AC-5`; any other id is its own."""
    match = _COUNTED.fullmatch(identifier)
    return match[1] if match else identifier


def names_criterion(identifier: str) -> bool:
    """Whether an explicit id is one of a criterion by its looks: `AC-3`, `US-3.2`."""
    return _CRITERION.match(identifier) is not None


def names_requirement(identifier: str) -> bool:
    """Whether an explicit id is one of a requirement or criterion by its looks: `FR-001`, `SC-2`."""
    return _REQUIREMENT.match(identifier) is not None


def names_story(identifier: str) -> bool:
    """Whether an explicit id is one of a story by its looks: `US-3`, not `US-3.2`."""
    return _STORY.match(identifier) is not None


def slug(text: str) -> str:
    """The words of a title in lower case joined by hyphens, without marks over letters, at most 60 characters."""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    words = _NO_WORD.sub("-", "".join(c for c in letters if not unicodedata.combining(c))).strip("-")
    if len(words) <= SLUG_LENGTH:
        return words
    cut = words[: SLUG_LENGTH + 1]
    return cut.rpartition("-")[0] if "-" in cut else cut[:SLUG_LENGTH]


class Keys:
    """Gives every story or criterion of a file a key of its own; the second of the same name gets `~2`."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self._taken: dict[str, int] = {}
        self._reserved = frozenset(reserved)

    def explicit(self, identifier: str) -> str:
        """The key of an explicit id."""
        count = self._taken[identifier] = self._taken.get(identifier, 0) + 1
        return identifier if count == 1 else f"{identifier}~{count}"

    def derived(self, name: str) -> str:
        """The key of a derived name; explicit ids keep their own, wherever they stand in the file."""
        if name in self._reserved and name not in self._taken:
            self._taken[name] = 1
        return self.explicit(name)

    def numbered(self, story: str, number: int) -> str:
        """The key of a story's criterion by its position, `US-3.2`; a number that an explicit id has is left out."""
        while (key := f"{story}.{number}") in self._reserved or key in self._taken:
            number += 1
        return self.explicit(key)
