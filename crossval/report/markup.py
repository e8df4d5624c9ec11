"""Words from a project within Markdown, in which nothing of them is markup, a mention, a reference or a command."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from crossval.report.escape import brief, clean, clean_line

LIMIT = 65_536
"""Bytes that a comment may have on GitHub, which counts characters; GitLab allows more."""

_PUNCTUATION = re.compile(r"[\\`*_\[\]<>|&~$:]|(?<=www)\.", re.IGNORECASE)
"""What Markdown, HTML, autolinks, tables and formulas are made of; as entities they are characters and nothing else.

Signs that mean something at a line's beginning only are left alone: no words of a project begin a line.
"""

_SIGIL = re.compile(r"[@#](?=\w)|(?<![&\w])[!~%$&](?=\w)|:(?=//)")
"""What makes a person, an issue, a merge request, a label or a link of the words behind it on GitHub or GitLab."""

_FENCE = re.compile(r"`{3,}")


def prose(words: str, longest: int = 1000) -> str:
    """Words as part of a sentence or a cell of a table, on one line, cut after `longest` characters.

    Hosts look for mentions in what Markdown has become, so an entity does not stop them: the sign stands alone in an
    element of its own.
    """
    return _escaped(brief(words, longest))


def whole_prose(words: str) -> str:
    """As `prose`, uncut."""
    return _escaped(clean_line(words))


def code(words: str, longest: int = 300) -> str:
    """Words as inline code."""
    return f"<code>{_PUNCTUATION.sub(_entity, brief(words, longest))}</code>"


def fenced(lines: list[str]) -> str:
    """Lines as a block of code, whose fence is longer than any within."""
    text = "\n".join(clean(line) for line in lines)
    fence = "`" * max([3, *(len(each) + 1 for each in _FENCE.findall(text))])
    return f"{fence}text\n{text}\n{fence}"


def fitting(parts: Iterable[str], room: int) -> tuple[str, int]:
    """The first parts as far as they fit into so many bytes, and how many these are."""
    taken = list(_taken(parts, room))
    return "".join(taken), len(taken)


def size(text: str) -> int:
    """The bytes of a text."""
    return len(text.encode("utf-8", "surrogatepass"))


def _taken(parts: Iterable[str], room: int) -> Iterator[str]:
    for part in parts:
        room -= size(part)
        if room < 0:
            return
        yield part


def _escaped(line: str) -> str:
    parts, last = [], 0
    for match in _SIGIL.finditer(line):
        parts.append(_PUNCTUATION.sub(_entity, line[last : match.start()]))
        parts.append(f"<span>{_PUNCTUATION.sub(_entity, match.group())}</span>")
        last = match.end()
    parts.append(_PUNCTUATION.sub(_entity, line[last:]))
    return "".join(parts)


def _entity(match: re.Match[str]) -> str:
    return f"&#{ord(match.group())};"
