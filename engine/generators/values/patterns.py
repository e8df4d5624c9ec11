"""A text that a regular expression matches, made by walking its parse tree: nothing is ever matched against it."""

from __future__ import annotations

import re
import warnings
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from re import _constants as constants  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]

_LONGEST_PATTERN = 500
_MOST = 200
_CATEGORIES = {
    constants.CATEGORY_DIGIT: "1",
    constants.CATEGORY_WORD: "a",
    constants.CATEGORY_SPACE: " ",
    constants.CATEGORY_NOT_DIGIT: "a",
    constants.CATEGORY_NOT_WORD: "-",
    constants.CATEGORY_NOT_SPACE: "a",
}
_CANDIDATES = "a1A-_ .:/@zZ9!" + "".join(map(chr, range(33, 127)))


class _CannotError(Exception):
    """The expression uses something for which no text is made here: a look-around, a back reference."""


def matching_text(pattern: str, least: int = 0, most: int | None = None) -> str | None:
    """A text of between `least` and `most` characters that the pattern matches as a whole, None where none is found."""
    if len(pattern) > _LONGEST_PATTERN:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = parser.parse(pattern)
        for more in range(_MOST):
            text = _of(tree, more)
            if most is not None and len(text) > most:
                return None
            if len(text) >= least:
                return text
    except (re.error, _CannotError, RecursionError, OverflowError):
        return None
    return None


def _of(tree: Any, more: int) -> str:
    """A text for a sequence; repetitions that may go on take `more` rounds beyond their least, the last one all."""
    pieces = []
    spare = more
    for operation, argument in tree:
        text, spare = _piece(operation, argument, spare)
        pieces.append(text)
    return "".join(pieces)


def _piece(operation: Any, argument: Any, spare: int) -> tuple[str, int]:
    if operation is constants.LITERAL:
        return chr(argument), spare
    if operation is constants.NOT_LITERAL:
        return ("a" if argument != ord("a") else "b"), spare
    if operation is constants.ANY:
        return "a", spare
    if operation is constants.IN:
        return _member(argument), spare
    if operation is constants.AT:
        return "", spare
    if operation is constants.SUBPATTERN:
        return _of(argument[3], spare), 0
    if operation is constants.BRANCH:
        return _of(argument[1][0], spare), 0
    if operation in (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT):
        low, high, inner = argument
        rounds = min(low + spare, high if isinstance(high, int) else low + spare)
        return _of(inner, 0) * rounds, spare - (rounds - low)
    raise _CannotError


def _member(choices: Any) -> str:
    """A character of a class."""
    if choices and choices[0][0] is constants.NEGATE:
        refused = choices[1:]
        return next(c for c in _CANDIDATES if not any(_is_in(c, each) for each in refused))
    operation, argument = choices[0]
    if operation is constants.LITERAL:
        return chr(argument)
    if operation is constants.RANGE:
        return chr(argument[0])
    return _CATEGORIES[argument]


def _is_in(character: str, choice: Any) -> bool:
    operation, argument = choice
    if operation is constants.LITERAL:
        return bool(ord(character) == argument)
    if operation is constants.RANGE:
        return bool(argument[0] <= ord(character) <= argument[1])
    tests: dict[object, bool] = {
        constants.CATEGORY_DIGIT: character.isdigit(),
        constants.CATEGORY_WORD: character.isalnum() or character == "_",
        constants.CATEGORY_SPACE: character.isspace(),
        constants.CATEGORY_NOT_DIGIT: not character.isdigit(),
        constants.CATEGORY_NOT_WORD: not (character.isalnum() or character == "_"),
        constants.CATEGORY_NOT_SPACE: not character.isspace(),
    }
    return tests[argument]
