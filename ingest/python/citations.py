"""Explicit ids of stories and criteria (`US-3`, `AC-3.2`) that comments and docstrings name."""

from __future__ import annotations

from collections.abc import Iterator

from graph.patterns import pattern
from ingest.python.docstrings import docstring, module_docstring
from ingest.python.module import Module
from ingest.python.scopes import Scope

# The literal first, and the letters before it only then: most files hold no such number at all.
_NUMBER = pattern(rb"-(?<=[A-Z]{2}-)\d+(?:\.\d+)?(?![\w-]|\.\d)")
_LETTERS = pattern(rb"(?<![\w-])[A-Z]{2,10}\Z")
_MOST_LETTERS = 10
_JOINTS = (b".", b"/", b":", b"#")
_BOTH = pattern(rb"([A-Z]{2,10}-?\d+)\s*[./:#]\s*([A-Z]{2,10}-?\d+)")
# How tests of Kiro's specs cite: `Validates: Requirements 1.1, 1.2`, below or above `Feature: sign-in`.
_VALIDATES = pattern(
    rb"\bValidates:?\**:?\s*Requirements?\s+(?P<numbers>\d+\.\d+(?:\s*,\s*(?:and\s+)?\d+\.\d+)*)"
)
_REQUIREMENT = pattern(rb"\d+\.\d+")
_FEATURE = pattern(rb"\bFeature:?\**:?\s*([a-z0-9]+(?:-[a-z0-9]+)*)\b")
_COMMENT_LINES = pattern(rb"(?:[ \t]*#[^\n]*+\n)+[ \t]*+")

_NO_STORIES = frozenset(
    {
        b"AES",
        b"ANSI",
        b"ASCII",
        b"BASE",
        b"BCP",
        b"BSD",
        b"CP",
        b"CVE",
        b"CWE",
        b"EUC",
        b"FIPS",
        b"GB",
        b"GH",
        b"GPL",
    }
    | {
        b"HTTP",
        b"IEC",
        b"IEEE",
        b"ISO",
        b"KOI",
        b"LGPL",
        b"MD",
        b"MPL",
        b"PEP",
        b"RFC",
        b"RSA",
        b"SHA",
        b"TLS",
    }
    | {b"UCS", b"UTF", b"WINDOWS"}
)
"""What looks like an id, and is the name of a standard, a licence, an encoding or a public list."""

Citation = tuple[Scope, str, int]
"""What cites, the id, and its line."""


def ids(text: str) -> list[str]:
    """The id-shaped words of a text, each once, in order."""
    return list(dict.fromkeys(found for _, found in _words(text.encode("utf-8", "replace"))))


def cited_id(text: str) -> str:
    """The id that a whole text names, such as a marker's."""
    both = _BOTH.fullmatch(text.strip().encode("utf-8", "replace"))
    return joined(both[1].decode("ascii"), both[2].decode("ascii")) if both else text


def citations(module: Module) -> Iterator[Citation]:
    """Every id that a comment or docstring names, with the definition that it stands in or directly above."""
    outer: dict[int, Scope] = {}
    for place, found in _words(module.source.data):
        outer = outer or {scope.outer: scope for scope in module.scopes.all[1:]}
        scope = _citing(module, place, outer)
        if scope is not None and not scope.lost:
            yield scope, found, module.source.line(place)


def joined(first: str, second: str) -> str:
    """The id of a story's criterion that is named by both: `US-1/AC-2` is `US-1.AC-2`."""
    return f"{first}.{second}"


def _words(data: bytes) -> Iterator[tuple[int, str]]:
    """The id-shaped words of a text and where they begin; `US-1.AC-2` and `US-1/AC-2` are one word."""
    open_ended: tuple[int, int, str] | None = None
    for number in _NUMBER.finditer(data):
        letters = _LETTERS.search(data, max(0, number.start() - _MOST_LETTERS - 1), number.start())
        if letters is None or letters[0] in _NO_STORIES:
            continue
        start, found = letters.start(), (letters[0] + number[0]).decode("ascii")
        before = data[start - 1 : start]
        within = open_ended is not None and not open_ended[2].startswith(f"{letters[0].decode('ascii')}-")
        # `BUG-2/BUG-3` are two ids of one list: none is a part of the other.
        if open_ended is not None and within and start == open_ended[1] + 1 and before in _JOINTS:
            yield open_ended[0], joined(open_ended[2], found)
            open_ended = None
            continue
        if open_ended is not None:
            yield open_ended[0], open_ended[2]
        open_ended = (start, number.end(), found) if before != b"." else None
    if open_ended is not None:
        yield open_ended[0], open_ended[2]
    if b"alidates" not in data:
        return
    features = {match[1].decode("ascii") for match in _FEATURE.finditer(data)}
    of = f"@{features.pop()}" if len(features) == 1 else ""
    for validated in _VALIDATES.finditer(data):
        for number in _REQUIREMENT.finditer(data, *validated.span("numbers")):
            yield number.start(), f"REQUIREMENT-{number[0].decode('ascii')}{of}"


def _citing(module: Module, place: int, outer: dict[int, Scope]) -> Scope | None:
    """The definition that a word speaks of; None for words of code and of ordinary strings."""
    node = module.root.descendant_for_byte_range(place, place + 1)
    if node is None:
        return None
    if node.type == "comment":
        return _below(module, node.start_byte, outer) or module.scopes.defining(node.start_byte)
    if not node.type.startswith("string") or _is_quoted(module.source.data, place, node.start_byte):
        return None
    scope = module.scopes.at(place)
    if scope is module.scopes.module:
        found = module_docstring(module.source)
    else:
        found = docstring(module.source, scope.body)
    return scope if found is not None and place < found[1] else None


def _is_quoted(data: bytes, place: int, begun: int) -> bool:
    """Whether a docstring shows a word as a value (`find('US-3')`), and does not speak of it."""
    return place > begun and data[place - 1 : place] in (b"'", b'"')


def _below(module: Module, comment: int, outer: dict[int, Scope]) -> Scope | None:
    """The definition that begins directly below a block of comment lines."""
    source = module.source
    start = comment - source.column(comment)
    if source.data[start:comment].strip():
        return None
    block = _COMMENT_LINES.match(source.data, start)
    return outer.get(block.end()) if block is not None else None
