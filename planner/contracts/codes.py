"""Codes of errors in the words of a contract, told as words: ``The pitch is closed (`pitch_closed`)``.

A code in parentheses repeats what stands before it, and is left out; one that stands for a clause is said as one:
`hive_retired` is `hive is retired`, `not_quarantined` is `not quarantined`.
"""

from __future__ import annotations

import re

_CODE = r"[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)+|[A-Z][A-Z0-9]{3,}"
_BARE = r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+"
_ASIDE = re.compile(
    rf"\s*\(\s*(?:(?:error\s+)?code:?\s+)?(?:`({_CODE})`|({_BARE}))\s*\)"
    r"|\s*\(\s*(?:error\s+)?code:?\s+`?([A-Z][A-Z0-9]{2,})`?\s*\)"
)
_CLAUSE = re.compile(
    rf"(?:^|(?<=[,;:]\s)|(?<=\bor\s)|(?<=\band\s))`({_CODE})`(?=\s*(?:$|[,;:.]|(?:or|and|when|if)\b))"
)
_MARKED = re.compile(rf"`({_CODE})`|\b([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)\b")
_BEHIND = re.compile(
    r"\b([45]\d\d)(?:,?\s+(?:and|with)\s+(?:the\s+)?(?:error\s+)?code)?\s+(?:`[\w.-]+`|(?:[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+))"
)
_TICKED = re.compile(r"`([^`\s]+)`")
_OF_STATES = frozenset(
    {"already", "not", "no", "too", "still", "wrong", "invalid", "unknown", "missing", "duplicate"}
)


def in_words(description: str) -> str:
    """The words of a description without codes, those of codes that are clauses, and nothing in backticks."""
    if "`" not in description and "_" not in description and "code" not in description.lower():
        return description
    return _TICKED.sub(r"\1", _CLAUSE.sub(lambda match: _clause(match[1]), _ASIDE.sub("", description)))


def without_codes(text: str) -> str:
    """The text of a sentence without the codes that stand behind a status: ``with 409 `name_taken` ``."""
    return _BEHIND.sub(r"\1", text)


def codes_in(description: str) -> set[str]:
    """The codes of which a description says that an answer has them."""
    return {
        each
        for match in (*_ASIDE.finditer(description), *_MARKED.finditer(description))
        for each in match.groups()
        if each
    }


def _clause(code: str) -> str:
    first, *rest = re.split(r"[_-]", code.lower())
    if len(rest) == 1 and first not in _OF_STATES:
        return f"{first} is {rest[0]}"
    return " ".join((first, *rest))
