"""Lines of a console below which nothing is shown, although what they call gives values elsewhere: they give None."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from graph.facts import Json
from graph.literals import NO_LITERAL, literal_value

Row = tuple[str, str, int]


def with_quiet(rows: Iterable[Json]) -> list[Json]:
    """The examples of a console, where lines that show nothing say `None` if that is what they give.

    A console prints nothing for `None` alone. Only where the function that is called shows a value elsewhere in the
    same text, as many a line is there for what it does, or its output was left out.
    """
    listed = [(str(source), str(expected), int(line)) for source, expected, line in rows]
    telling = telling_names(listed)
    if not telling:
        return [list(row) for row in listed]
    return [
        [source, expected or ("None" if "#" not in source and called(source) in telling else ""), line]
        for source, expected, line in listed
    ]


def telling_names(rows: Sequence[Row]) -> set[str]:
    """The functions that are called for their values somewhere in these examples: a literal is shown below them, which
    is not always true or false, as what says only that has something to say of everything."""
    told = ((called(source), literal_value(expected)) for source, expected, _ in rows)
    return {
        name
        for name, value in told
        if name and value not in (NO_LITERAL, None) and not isinstance(value, bool)
    }


def called(source: str) -> str:
    """The function that a line calls, and does nothing else; empty for all other lines, those that call methods too."""
    try:
        tree = ast.parse(source.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    match tree.body:
        case ast.Call(func=ast.Name(id=name)) if name not in ("print", "pprint", "next"):
            return name
    return ""
