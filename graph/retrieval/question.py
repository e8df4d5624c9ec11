"""What a question asks for by name, apart from what it means."""

from __future__ import annotations

import re

import msgspec

from graph.retrieval.words import identifiers, terms

_QUOTED = re.compile(r"\"([^\"]+)\"|`([^`]+)`|“([^”]+)”|(?<!\w)'([^']+)'(?!\w)")
_ROUTE = re.compile(r"\b(?:(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+)?(/[\w{}./:-]*\w[\w{}./:-]*)")
_STATUS = re.compile(r"\b[1-5]\d\d\b")
_REFERENCE = re.compile(r"\b[A-Z]{1,8}-\d+(?:\.\d+)*\b")


class Question(msgspec.Struct, frozen=True):
    """A question taken apart.

    `phrases` are runs of terms that must stand together (from quotation marks); `names` are words that look like
    names of the project; `exact` are texts that may be keys of facts; `terms` are all terms.
    """

    text: str
    terms: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]
    exact: tuple[str, ...]

    @property
    def is_by_name(self) -> bool:
        """Whether something is asked for by its very name, so that words count for more than meaning."""
        return bool(self.phrases or self.names)


def understood(text: str) -> Question:
    """What a question holds: quoted terms, identifiers, paths (with a method or without), status codes, ids."""
    quoted = ["".join(groups) for groups in _QUOTED.findall(text)]
    routes = [f"{method} {path}".strip() for method, path in _ROUTE.findall(text)]
    names = [*identifiers(text), *_REFERENCE.findall(text), *_STATUS.findall(text), *routes]
    exact = [text.strip(), *(text.split() if text.count(" ") < 3 else ()), *quoted, *names]
    exact += [each.split(":", 2)[2] for each in exact if each.count(":") >= 2]
    return Question(
        text=text,
        terms=tuple(dict.fromkeys(terms(text))),
        phrases=tuple(found for found in (tuple(terms(each)) for each in quoted) if found),
        names=tuple(dict.fromkeys(names)),
        exact=tuple(dict.fromkeys(each for each in exact if each)),
    )
