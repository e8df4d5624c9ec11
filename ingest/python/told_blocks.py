"""Blocks of Python without prompts, as pages and docstrings show them: their statements, and what is said to come of
each by an assertion, by a comment, or by what is shown below as printed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any

from graph.facts import Json
from graph.indents import dedented
from graph.literals import is_literal, literal_value
from graph.patterns import pattern
from ingest.python.asserted import asserted
from ingest.python.plain_remarks import compared, named_value, respelled, value_below
from ingest.python.raising_remarks import is_said_to_fail, raised_behind, raised_inside
from ingest.python.shown_output import (
    counts_lines,
    is_print,
    last_value,
    output_below,
    printed,
    remarked,
    row_of,
    whole,
)
from ingest.python.shown_values import statement

# A fence of Markdown, or a directive of reStructuredText with what is indented below it.
_FENCE = pattern(
    r"^(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})[ \t]*\{?\.?(?:python3?|py)\b[^\n]*\n(?P<body>.*?)^[ \t]*(?P=mark)",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_DIRECTIVE = pattern(
    r"^(?P<indent>[ \t]*)\.\. (?:(?:code|code-block|sourcecode)::[ \t]*(?:python3?|py)[ \t]*"
    r"|test(?:code|setup)::[^\n]*)\n"
    r"(?:[ \t]+:[^\n]*\n)*(?P<body>(?:[ \t]*\n|(?P=indent)[ \t]+[^\n]*\n)+)",
    re.MULTILINE | re.IGNORECASE,
)
# A paragraph that ends in `::`, with what is indented below it.
_LITERAL = pattern(
    r"^(?P<indent>[ \t]*)(?:(?!\.\. )\S[^\n]*)?::[ \t]*\n"
    r"(?P<body>(?:[ \t]*\n)+(?:(?P=indent)[ \t]+\S[^\n]*\n(?:[ \t]*\n)*)+)",
    re.MULTILINE,
)
_TELLS = pattern(
    r"#[ \t]*(?:=>|==>|->|→|⇒|>(?!>)|(?:outputs?|prints?|returns?|results?|gives?)[ \t]*:)[ \t]*(?P<value>.+?)[ \t]*$",
    re.IGNORECASE,
)
_MAY_TELL = pattern(r"^[ \t]*(?:assert |print\()|#[ \t]*\S|\S == \S", re.MULTILINE)
_IMPORTS = pattern(r"(?:import|from) ")
# What Python 2 printed without brackets, on one line.
_OLD_PRINT = pattern(r"^([ \t]*)print[ \t]+((?![(=>.,])[^\n#]*[^\s,#\\])[ \t]*$", re.MULTILINE)
_DASH = pattern(r"[ \t]+-{1,2}[ \t]+(?=[A-Za-z])")
_ABOUT = pattern(r"(?:Its?|This|That|Now|The (?:result|value|output))[ \t]+[a-z]")
# What the lines of a console are about: `data` of `>>> data.rows`.
_ASKED = pattern(r"^[ \t]*>>>[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
_CONSOLE = pattern(r"^[ \t]*(?:>>>|\.\.\.)([^\n#]*)", re.MULTILINE)
_NAME = pattern(r"(?<![.\w'\"])[A-Za-z_]\w*")


def told_blocks(text: str) -> Iterator[Json]:
    """The statements of blocks without prompts: [source, what it gives or nothing, line].

    What stands below a mere `::` may be anything, and is taken for Python only where it imports or tells something, or
    makes what the lines of a console are about.
    """
    asked = set(_ASKED.findall(text)) if "::" in text else set()
    read = set(_NAME.findall(" ".join(_CONSOLE.findall(text)))) if asked else set()
    for form in (_FENCE, _DIRECTIVE, _LITERAL):
        for match in form.finditer(f"{text}\n"):
            body = match["body"]
            if ">>>" not in body:
                blank = len(body) - len(body.lstrip("\n"))
                first = text.count("\n", 0, match.start("body")) + blank + 1
                below = output_below(text, match.end())
                rows = list(_of_block(dedented(body[blank:]), first, below))
                tells = any(row[1] or _IMPORTS.match(row[0]) for row in rows)
                if form is not _LITERAL or tells or (asked and _makes(rows, asked, read)):
                    yield from rows


def told_below(text: str, first_line: int) -> list[Any]:
    """The same of a docstring that begins on a line; nothing where nothing is told."""
    if not ("```" in text or "~~~" in text or "::" in text) or _MAY_TELL.search(text) is None:
        return []
    rows = [[source, told, first_line + line - 1] for source, told, line in told_blocks(text)]
    return rows if any(told for _, told, _ in rows) else []


def _of_block(text: str, first: int, below: str) -> Iterator[list[Any]]:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        if (today := _OLD_PRINT.sub(r"\1print(\2)", text)) != text:
            yield from _of_block(today, first, below)
        return
    except (ValueError, RecursionError, MemoryError):
        return
    if any(isinstance(node, ast.Constant) and node.value is ... for node in ast.walk(tree)):
        return  # Something is left out.
    lines = text.splitlines()
    shown = printed(tree, below) if "print(" in text else last_value(tree, below)
    counted = counts_lines(lines)
    equal = compared(tree)
    end = -1
    for place, node in enumerate(tree.body):
        if place <= end:
            continue  # What is printed by several statements is told of all of them.
        source, line = statement(text, node), first + node.lineno - 1
        end, output = shown.get(place, (place, ""))
        if end > place:
            yield ["\n".join(statement(text, each) for each in tree.body[place : end + 1]), output, line]
        elif isinstance(node, ast.Assert):
            if not is_said_to_fail(node, lines):
                yield [*asserted(node), line]
        elif raised := raised_behind(node, lines) or raised_inside(node):
            yield [*raised, line]
        elif place in equal and not is_said_to_fail(node, lines):
            yield [*asserted(equal[place]), line]
        elif isinstance(node, ast.Expr):
            told = _told(node, lines, counted=counted) or output
            if not told:
                yield [source, "", line]
            elif is_literal(told) or "print(" in source:
                yield [*row_of(node, source, told), line]
        elif output or not _only_raises(node):
            yield [source, output, line]
            if isinstance(node, ast.Assign) and (named := named_value(node, lines)):
                yield [*named, line]


def _told(node: ast.Expr, lines: Sequence[str], *, counted: bool) -> str | None:
    """What a comment behind or below an expression says that it gives; `counted` where plain numbers count lines."""
    end = (node.end_lineno or node.lineno) - 1
    behind = lines[end].encode()[node.end_col_offset or 0 :].decode("utf-8", "replace")
    if found := _TELLS.search(behind):
        return whole(_without_words(found["value"]), lines[end + 1 :])
    prints = is_print(node)
    if value := remarked(behind, is_number=prints and not counted) or respelled(node, behind):
        return value
    below = lines[end + 1].strip() if end + 1 < len(lines) else ""
    if found := _TELLS.match(below):
        return whole(_without_words(found["value"]), lines[end + 2 :])
    if not prints:
        return value_below(lines[end + 1 :])
    # What stands alone below a line that prints, and is no heading of what follows.
    is_alone = end + 2 >= len(lines) or not lines[end + 2].strip()
    return remarked(below, is_number=not counted) if is_alone else None


def _without_words(value: str) -> str:
    """What an arrow points to without the words behind a dash; empty for words about it, and for a number before words,
    which is rounded more often than not."""
    head = _DASH.split(value)[0]
    if head == value or is_literal(value):
        return "" if _ABOUT.match(value) else value
    return "" if isinstance(literal_value(head), float) or not is_literal(head) else head


def _makes(rows: Sequence[Sequence[Any]], asked: set[str], read: set[str]) -> bool:
    """Whether a block only does things, and makes or changes what the lines of a console are about, or defines what
    they read."""
    trees = [each for row in rows for each in ast.parse(row[0]).body]
    does = (ast.Assign, ast.AugAssign, ast.For, ast.With, ast.FunctionDef, ast.ClassDef)
    plain = all(
        isinstance(each, does) or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Call))
        for each in trees
    )
    names = {each.id for tree in trees for each in ast.walk(tree) if isinstance(each, ast.Name)}
    defined = {each.name for each in trees if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    return plain and bool(names & asked or defined & read)


def _only_raises(node: ast.stmt) -> bool:
    """Whether a statement shows only that something raises: nothing after it needs it."""
    return isinstance(node, ast.Try | ast.Raise) or (
        isinstance(node, ast.With) and "raises" in ast.unparse(node.items[0].context_expr)
    )
