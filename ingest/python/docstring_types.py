"""Of which types a docstring says that parameters and results are, as Google, NumPy and reST write it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.facts import Json
from graph.patterns import pattern

_PARAMETERS = frozenset({"param", "parameter", "arg", "argument", "key", "keyword"})
# `name (int, optional): text`, and `int: text` or `a list of int: text` of what is returned.
_IN_BRACKETS = pattern(r"\\?\*{0,2}[^\W\d]\w*[ \t]*\(([^()\n]+)\)[ \t]*:")
_BEFORE = pattern(r"([^:\n]*(?::\w+:`[^`]*`[^:\n]*)*):(?:[ \t]|$)")
_BEHIND = pattern(r"[^\n:]*?[ \t]*:[ \t]*(.+)")
_NONE = pattern(
    r"\b(?:returns?|or|else|be|is|gives?|yields?)[ \t\n]+(?::\w+:(?:\w+:)?)?`{0,2}None\b", re.IGNORECASE
)
_MOST = 60


def in_field(field: str, argument: str, text: str) -> Iterator[tuple[str, str]]:
    """What a field of reST or epydoc tells: `:param int size: …`, `:type size: int`, `:rtype: int`, and `:type: int` of
    a property, by the name of the parameter or `return`."""
    if field == "rtype" or (field == "type" and not argument):
        yield "return", _short(text)
    elif field == "type":
        yield argument, _short(text)
    elif field in _PARAMETERS:
        *told, name = argument.split(" ")
        if told:
            yield name.lstrip("\\*"), _short(" ".join(told))


def in_brackets(line: str) -> str:
    """The type of a parameter in a section of Google's; empty where none stands there."""
    found = _IN_BRACKETS.match(line)
    return _short(found[1]) if found else ""


def behind_colon(line: str) -> str:
    """The type of a parameter, or of a result that has a name, in a section of NumPy's; empty without one."""
    found = _BEHIND.fullmatch(line)
    return _short(found[1]) if found else ""


def before_colon(line: str, *, is_numpy: bool) -> str:
    """The type at the beginning of a section about what is returned; empty where words stand there."""
    if is_numpy:
        return behind_colon(line) if " : " in line else _short(line)
    found = _BEFORE.match(line)
    return _short(found[1]) if found else ""


def _short(text: str) -> str:
    """A text that may name a type, as none of so many words does."""
    text = text.strip()
    return text if len(text) <= _MOST else ""


def with_none(told: dict[str, Json], text: str) -> dict[str, Json]:
    """The sections of a docstring; where its words say that `None` may be returned, its type says so, too."""
    types = told.get("types")
    if isinstance(types, dict) and "return" in types and "None" not in types["return"] and _NONE.search(text):
        types["return"] = f"{types['return']} or None"
    return told
