"""Pages that people look at, beside what a contract is about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from crossval.compare.http import Operation

_PAGE: Final = "text/html"


def is_page(operation: Operation) -> bool:
    """Whether all that an operation answers where it succeeds is a page that is made from a template."""
    given = [
        fact.aspects.get("content") or {}
        for fact in operation.responses.values()
        if fact.aspects.get("origin") == "success"
    ]
    return operation.method == "GET" and bool(given) and all(map(_is_made, given))


def speak_of_pages(promised: Iterable[Operation]) -> bool:
    """Whether a contract describes a page anywhere."""
    return any(
        _PAGE in (fact.aspects.get("content") or {})
        for operation in promised
        for fact in operation.responses.values()
    )


def _is_made(content: dict[str, dict[str, object]]) -> bool:
    return content.keys() == {_PAGE} and (content[_PAGE] or {}).get("x-page") is True
