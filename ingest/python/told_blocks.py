"""Blocks of Python without prompts, as pages and docstrings show them: their statements, and what is said to come of
each by an assertion, by a comment, or by what is shown below as printed."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from graph.facts import Json
from graph.literals import is_literal
from ingest.python.shown_output import output_below, printed, remarked, row_of
from ingest.python.shown_values import statement

# A fence of Markdown, or a directive of reStructuredText with what is indented below it.
_FENCE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})[ \t]*\{?\.?(?:python3?|py)\b[^\n]*\n(?P<body>.*?)^[ \t]*(?P=mark)",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_DIRECTIVE = re.compile(
    r"^(?P<indent>[ \t]*)\.\. (?:code|code-block|sourcecode)::[ \t]*(?:python3?|py)[ \t]*\n"
    r"(?:[ \t]+:[^\n]*\n)*(?P<body>(?:[ \t]*\n|(?P=indent)[ \t]+[^\n]*\n)+)",
    re.MULTILINE | re.IGNORECASE,
)
# A paragraph that ends in `::`, with what is indented below it.
_LITERAL = re.compile(
    r"^(?P<indent>[ \t]*)(?!\.\. )\S[^\n]*::[ \t]*\n"
    r"(?P<body>(?:[ \t]*\n)+(?:(?P=indent)[ \t]+\S[^\n]*\n(?:[ \t]*\n)*)+)",
    re.MULTILINE,
)
_TELLS = re.compile(r"#[ \t]*(?:=>|==>|->|→|⇒|>(?!>))[ \t]*(?P<value>.+?)[ \t]*$")
_MAY_TELL = re.compile(r"^[ \t]*(?:assert |print\()|#[ \t]*\S", re.MULTILINE)
_IMPORTS = re.compile(r"(?:import|from) ")
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def told_blocks(text: str) -> Iterator[Json]:
    """The statements of blocks without prompts: [source, what it gives or nothing, line].

    What stands below a mere `::` may be anything, and is taken for Python only where it imports or tells something.
    """
    for pattern in (_FENCE, _DIRECTIVE, _LITERAL):
        for match in pattern.finditer(f"{text}\n"):
            body = match["body"]
            if ">>>" not in body:
                blank = len(body) - len(body.lstrip("\n"))
                first = text.count("\n", 0, match.start("body")) + blank + 1
                below = output_below(text, match.end()) if "print(" in body else ""
                rows = list(_of_block(textwrap.dedent(body[blank:]), first, below))
                if pattern is not _LITERAL or any(row[1] or _IMPORTS.match(row[0]) for row in rows):
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
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    if any(isinstance(node, ast.Constant) and node.value is ... for node in ast.walk(tree)):
        return  # Something is left out.
    lines = text.splitlines()
    shown = printed(tree, below)
    for node in tree.body:
        source, line = statement(text, node), first + node.lineno - 1
        if isinstance(node, ast.Assert):
            yield [*_asserted(node), line]
        elif isinstance(node, ast.Expr):
            told = _told(node, lines) or shown.get(node)
            if told is None:
                yield [source, "", line]
            elif is_literal(told) or "print(" in source:
                yield [*row_of(node, source, told), line]
        elif not _only_raises(node):
            yield [source, "", line]


def _asserted(node: ast.Assert) -> list[str]:
    """An assertion as an expression and its value."""
    match node.test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]) if is_literal(
            ast.unparse(right)
        ):
            return [ast.unparse(left), ast.unparse(right)]
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return [ast.unparse(node.test), "True"]
    return [f"bool({ast.unparse(node.test)})", "True"]


def _told(node: ast.Expr, lines: Sequence[str]) -> str | None:
    """What a comment behind or below an expression says that it gives."""
    end = (node.end_lineno or node.lineno) - 1
    behind = lines[end].encode()[node.end_col_offset or 0 :].decode("utf-8", "replace")
    if found := _TELLS.search(behind):
        return _whole(found["value"], lines[end + 1 :])
    if value := remarked(behind):
        return value
    if end + 1 < len(lines) and (found := _TELLS.match(lines[end + 1].strip())):
        return _whole(found["value"], lines[end + 2 :])
    return None


def _whole(value: str, following: Sequence[str]) -> str | None:
    """A value that goes on in the comments below; None where it does not end there, or is no value then."""
    open_ones = sum(_BRACKETS.get(sign, 0) for sign in value)
    if not open_ones or is_literal(value):
        return value
    for line in following:
        if not line.lstrip().startswith("#"):
            return None
        value += "\n" + line.strip().removeprefix("#")
        open_ones += sum(_BRACKETS.get(sign, 0) for sign in line)
        if open_ones <= 0:
            return value.strip() if is_literal(value.strip()) else None
    return None


def _only_raises(node: ast.stmt) -> bool:
    """Whether a statement shows only that something raises: nothing after it needs it."""
    return isinstance(node, ast.Try | ast.Raise) or (
        isinstance(node, ast.With) and "raises" in ast.unparse(node.items[0].context_expr)
    )
