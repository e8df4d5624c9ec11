"""What a comment says, without the signs that make it one."""

from __future__ import annotations

import re

_EDGE = re.compile(r"^\s*(?:/\*+/?|\*+/|\*+(?!/)|//+)|\*+/\s*$", re.MULTILINE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>|\{@\w+\s+([^{}]*)\}")
_SPACES = re.compile(r"\s+")
_BEFORE_POINT = re.compile(r" (?=[.,;:!?](?:\s|$))")


def said_in(comment: str) -> str:
    """The words of a comment in one line: without stars, slashes, HTML and braces of Javadoc."""
    words = _TAG.sub(lambda match: f" {match[1] or ''} ", _EDGE.sub("", comment))
    return _BEFORE_POINT.sub("", _SPACES.sub(" ", words).strip())
