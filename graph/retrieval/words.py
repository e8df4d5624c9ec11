"""Turns prose and identifiers into the terms that searching compares."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

_STOP_WORDS = """
    a about after again all also am an and any are as at be because been before being below between both but by
    can could did do does doing during each else few for from further had has have having he her here hers him
    his how i if in into is it its itself just let may me might more most must my no nor not now of on once only
    or other our own same shall she should so some such than that the their them then there these they this
    those through to too until upon us very was we were what when where whether which while who whom why
    will with would yet you your
"""

STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Words of English that say nothing about a subject; program words such as `get` and `list` do."""

_TOKEN = re.compile(r"[^\W_]+(?:[_\-.][^\W_]+)*")
"""An identifier or a word, with dots, dashes and underscores inside it."""

_UPPER, _LOWER = "A-ZÀ-ÖØ-Þ", "a-zß-öø-ÿ"
_PART = re.compile(
    rf"[{_UPPER}]+(?=[{_UPPER}][{_LOWER}])|[{_UPPER}]?[{_LOWER}]+|[{_UPPER}]+|\d+|[^\W\d_{_UPPER}{_LOWER}]+"
)
"""A part of an identifier: `HTTPError` is `HTTP` and `Error`, `isbn13` is `isbn` and `13`."""


def terms(text: str, language: str = "english") -> list[str]:
    """The terms of a text in its order: words split out of identifiers, in lower case, stemmed, without stop words.

    `language` names the Snowball algorithm that stems; the stop words are those of English in any case.

    An identifier of several parts (`out_of_stock`, `OutOfStock`) gives its parts, and then itself, joined by `_`
    and not stemmed, so that all its spellings meet. A dotted name gives each of its identifiers so.
    """
    found: list[str] = []
    stem = _stemmer(language)
    for token in _TOKEN.findall(text):
        for identifier in token.split("."):
            parts = [part.lower() for part in _PART.findall(identifier)]
            found.extend(stem(part) for part in parts if part not in STOP_WORDS)
            if len(parts) > 1 and not _is_prose(identifier):
                found.append("_".join(parts))
    return found


def identifiers(text: str) -> Iterator[str]:
    """The words of a text that look like names in a program, as they are written: `OutOfStock`, `shop.add_book`."""
    for token in _TOKEN.findall(text):
        if "_" in token or "." in token or re.search(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]", token):
            yield token


def spoken(identifier: str) -> str:
    """The parts of an identifier as words: `shop.OutOfStock` is `shop out of stock`."""
    return " ".join(part.lower() for part in _PART.findall(identifier))


def _is_prose(identifier: str) -> bool:
    """Whether a word of several parts is one of ordinary writing: `read-only`, `3rd`."""
    return "-" in identifier and identifier.islower()


@lru_cache(maxsize=4)
def _stemmer(language: str) -> Callable[[str], str]:
    """A Snowball stemmer; it remembers the words that it has seen."""
    import Stemmer

    stem = Stemmer.Stemmer(language).stemWord

    @lru_cache(maxsize=100_000)
    def stemmed(word: str) -> str:
        return str(stem(word))

    return stemmed
