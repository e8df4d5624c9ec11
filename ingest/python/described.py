"""What a function's docstring describes as parameters although the function takes none of that name."""

from __future__ import annotations

import re

from graph.compiled import compiled
from graph.facts import Json
from ingest.python.scopes import Scope
from ingest.python.signatures import VAR_KEYWORD, VAR_POSITIONAL, is_overload
from ingest.python.source import Source

_TRANSPARENT = frozenset(
    {"staticmethod", "classmethod", "abstractmethod", "override", "final", "cache", "lru_cache"}
)
"""Decorators that leave the parameters as they are, by the last part of their names."""

_INNER = compiled(rb"\bdef\s+\w+\s*\(((?:[^()]|\([^()]*\))*)\)|\blambda\b([^:\n]*):")
_LOOKED_UP = compiled(rb"(?:\.(?:get|pop)\(|\[)\s*[\"'](\w+)[\"']")
_RECEIVERS = frozenset({"self", "cls"})
# What stands where names of parameters do and is none: `mask, optional : str`, and headings with text behind them.
_WORDS = frozenset(
    {"optional", "return", "returns", "yield", "yields", "raise", "raises", "warns", "example", "examples"}
    | {"note", "notes", "see", "references", "usage", "todo", "warning", "warnings", "default", "required"}
)


def described_unknown(source: Source, scope: Scope, doc: dict[str, Json]) -> list[list[Json]]:
    """Names that the docstring describes and the function does not take, each with its line.

    Nothing where more arguments may be taken than the signature names, where a decorator may change it, where a
    function within takes what is described, or where it is a key that is looked up (`arguments["limit"]`).
    Names that differ by underscores at their ends count as the same.
    """
    described = [name for name in doc.get("params") or () if name.isidentifier() and not name.startswith("_")]
    taken = {parameter[0].strip("_") for parameter in scope.signature} | _RECEIVERS
    unknown = [name for name in described if name.strip("_") not in taken and name.lower() not in _WORDS]
    if not unknown or scope.form == "property" or is_overload(scope):
        return []
    if any(parameter[1] in (VAR_POSITIONAL, VAR_KEYWORD) for parameter in scope.signature):
        return []
    names = (decorator.partition("(")[0].rpartition(".")[2] for decorator in scope.decorators)
    if any(name not in _TRANSPARENT for name in names):
        return []
    inner = b" ".join(b" ".join(found) for found in _INNER.findall(source.data, scope.body, scope.end))
    body = source.slice(scope.body, scope.end).split("\n")
    first = source.line(scope.body)
    keys = _LOOKED_UP.findall(source.data, scope.body, scope.end)
    return [
        [name, first + _row(name, body)]
        for name in unknown
        if name.encode() not in keys and not re.search(rb"\b%s\b" % name.encode(), inner)
    ]


def _row(name: str, body: list[str]) -> int:
    """Which row of a body begins to describe a parameter; a field's, as reST has them, before other rows."""
    ways = (
        rf"\W*(?:param|parameter|arg|argument|key|keyword)\s[^:]*\b{name}\s*:",
        rf"\W*{name}\s*(?:[(:,]|$)",
    )
    found = (row for way in ways for row, line in enumerate(body) if re.match(way, line.strip()))
    return next(found, 0)
