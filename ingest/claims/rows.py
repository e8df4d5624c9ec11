"""What stands among sentences and is none: rows of tables, lines of logs and of transcripts."""

from __future__ import annotations

import re

from graph.patterns import pattern

# "name      string      required": what wide gaps or tabs part are the cells of a table.
_CELLS = pattern(r"\S(?: {3,}|\t+ *)\S")
# "2026-11-29 12:00:00 INFO …", "[warn] …", "10.0.0.1 - - … 404 17": what was written down of one run.
_LOGGED = pattern(
    r"\W*(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d\b|\W*\d{1,3}(?:\.\d{1,3}){3}\s-\s"
    r"|\[(?:debug|info|warn(?:ing)?|error|trace)\]"
    r"|(?-i:DEBUG|INFO|WARNING|ERROR|TRACE)\b[:\s]+\S+\.\S+[: ]|(?-i:Traceback)\b",
    re.IGNORECASE,
)
_BEGINS = frozenset("0123456789[(<DIWET")
"""How a line of a log begins."""


def is_row(raw: str, words: str) -> bool:
    """Whether a text, as its page writes it and with its spaces folded, is a row of a table or a line of a log."""
    if ("   " in raw or "\t" in raw) and _CELLS.search(raw):
        return True
    return words[0] in _BEGINS and _LOGGED.match(words) is not None
