"""The test cases of methods that are told what to give where there is nothing: `get(key, default)`, `last(default)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from graph.facts import Fact
from planner.cases import Case
from planner.functions.law_case import law_case

DEFAULT = "default"
"""What such a parameter is called."""
_GIVING = frozenset(
    {"get", "pop", "first", "last", "next", "peek", "popleft", "fetch", "lookup", "head", "tail"}
)
_KEYS = frozenset({"key", "k", "name", "element", "item", "id", "option", "word"})
_ANY_TEXT = re.compile(r"\b(?:str|Any|object|Incomplete|_?[A-Z]|_?[A-Z]{1,2}T|_?T(?:[A-Z_]\w*)?)\b")


def fallback_laws(fact: Fact, methods: Mapping[str, Fact]) -> Iterator[Case]:
    """The cases of one class of stubs; `methods` are its own by name."""
    for name, each in methods.items():
        if key_of(each) is not None:
            told = f"{name} of a {fact.name} gives its default where there is nothing"
            yield law_case(fact, "fallback", told, {"by": each.id}, (fact.id, each.id))


def key_of(method: Fact) -> str | None:
    """The parameter by which a method is asked for one thing, empty where it is asked for whatever there is; None for
    one that does not give a default which may be any text."""
    aspects = method.aspects
    if method.name not in _GIVING or aspects.get("async") or aspects.get("overload"):
        return None
    rows = {str(row[0]): row for row in aspects["parameters"][1:]}
    fallback = rows.pop(DEFAULT, None)
    if fallback is None or str(fallback[1]).startswith("var") or not _takes_text(fallback[2]):
        return None
    required = [name for name, row in rows.items() if row[3] is None and not str(row[1]).startswith("var")]
    if not required:
        return ""
    is_key = len(required) == 1 and required[0] in _KEYS and _takes_text(rows[required[0]][2])
    return required[0] if is_key else None


def _takes_text(annotation: object) -> bool:
    return annotation is None or _ANY_TEXT.search(str(annotation)) is not None
