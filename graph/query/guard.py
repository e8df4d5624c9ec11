"""Refuses openCypher statements that write, or that read and write files, before they are run."""

from __future__ import annotations

import re

from graph.errors import UsageError

_REFUSED = frozenset(
    {
        "alter",
        "attach",
        "begin",
        "checkpoint",
        "comment",
        "commit",
        "copy",
        "create",
        "delete",
        "detach",
        "drop",
    }
    | {
        "export",
        "force",
        "import",
        "install",
        "load",
        "merge",
        "remove",
        "rollback",
        "set",
        "uninstall",
        "update",
        "use",
    }
)
_CALLS = frozenset({"show_tables", "table_info", "show_connection"})
_TOKEN = re.compile(
    r"""(?P<text>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")   # a string
    | (?P<quoted>`[^`]*`)
    | (?P<comment>//[^\n]*|/\*.*?\*/)
    | (?P<word>[A-Za-z_][A-Za-z_0-9]*)
    | (?P<sign>\S)""",
    re.VERBOSE | re.DOTALL,
)


def refuse_effects(query: str) -> None:
    """Raise UsageError where a query is more than one question, or where it may have an effect.

    Words that only name something (a label after `:`, a property after `.`) are let through; so are strings.
    """
    before = ""
    ended = False
    words: list[str] = []
    for token in _TOKEN.finditer(query):
        if token.lastgroup == "comment":
            continue
        if ended:
            raise _refusal(query, token.start(), "one query at a time, please")
        text = token.group()
        ended = text == ";"
        if token.lastgroup == "word" and before not in (":", ".", "|"):
            lowered = text.lower()
            if lowered in _REFUSED:
                raise _refusal(query, token.start(), f"`{text}` is refused: queries only read the graph")
            if words and words[-1] == "call" and lowered not in _CALLS:
                raise _refusal(query, token.start(), f"`CALL {text}` is refused: queries only read the graph")
            words.append(lowered)
        before = text
    if not words:
        raise UsageError("the query is empty", "Ask, for example: MATCH (s:story) RETURN s.id")


def _refusal(query: str, offset: int, why: str) -> UsageError:
    line = query.count("\n", 0, offset) + 1
    column = offset - query.rfind("\n", 0, offset)
    return UsageError(
        f"query, line {line}, column {column}: {why}",
        "Begin with MATCH and end with RETURN.",
    )
