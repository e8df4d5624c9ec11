"""How stories name the kinds of things that a contract is about."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from planner.contracts.resources import singular
from planner.contracts.things import Thing

_WORD = re.compile(r"[A-Za-z][A-Za-z-]*")


def mentioned(text: str, every: Sequence[Thing]) -> list[Thing]:
    """The things whose noun stands in a text, the one that is named first in front."""
    words = [singular(re.sub(r"[^a-z]", "", word.lower())) for word in _WORD.findall(text)]
    pairs = [one + other for one, other in itertools.pairwise(words)]
    found = [
        (min(_places(each.noun, words, pairs)), each) for each in every if _places(each.noun, words, pairs)
    ]
    return [each for _, each in sorted(found, key=lambda pair: (pair[0], pair[1].maker.key))]


def with_article(noun: str) -> str:
    """The noun behind its article, by its first letter: `an order`."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def words_in(text: str) -> set[str]:
    """The words of a text in small letters, in the singular as well."""
    plain = {word.lower().strip("-") for word in _WORD.findall(text)}
    return plain | {singular(word) for word in plain}


def _places(noun: str, words: list[str], pairs: list[str]) -> list[int]:
    return [at for row in (words, pairs) for at, word in enumerate(row) if word == noun]
