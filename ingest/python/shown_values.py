"""Code that a page or docstring shows without prompts, with what its words say comes of it, read freely.

`# 5` behind a call and "This should return `5`" below a block mostly tell a result, and not always. So who uses these
has to try them on code with which they held; they are no values that a test may be made of.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from graph.facts import Json
from graph.indents import dedented
from graph.literals import is_literal
from graph.patterns import pattern

# A fence of Markdown with Python or nothing behind it, and what is indented below a paragraph that ends in `::`.
_FENCE = pattern(
    r"^(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})[ \t]*(?:\{?\.?(?:python3?|py|pycon)\b[^\n]*)?\n"
    r"(?P<body>(?:(?![ \t]*(?P=mark)).*\n)*)[ \t]*(?P=mark)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_LITERAL = pattern(
    r"^(?P<indent>[ \t]*)"
    r"(?:\.\. (?:code|code-block|sourcecode)::[ \t]*(?:python3?|py)?[ \t]*|(?!\.\. )\S[^\n]*::[ \t]*)\n"
    r"(?:[ \t]+:[^\n]*\n)*(?P<body>(?:[ \t]*\n)*(?P<depth>(?P=indent)[ \t]+)\S[^\n]*\n?"
    r"(?:(?:[ \t]*\n)*(?P=depth)[^\n]*\n?)*)",
    re.MULTILINE | re.IGNORECASE,
)
_BEHIND = pattern(
    r"#[ \t]*(?P<lead>[=-]*>|→|⇒|(?:output|out|prints?|returns?|gives?|result|evaluates to|equals|is)\b:?|==)?[ \t]*"
    r"(?P<value>[^#]*?)[ \t]*$",
    re.IGNORECASE,
)
_BELOW = pattern(
    r"\s*(?:[^\n.:`]{0,60}\b)?(?:returns?|gives?|prints?|yields?|outputs?|results? in|produces?|evaluates to)\b"
    r"[^\n`]{0,40}(?P<mark>`{1,2})(?P<value>[^`\n].*?)(?P=mark)(?!`)",
    re.IGNORECASE,
)
_MOST = 60
_LONGEST = 600
_NEAR = 300
_Row = tuple[str, str, int]
_LEFT_OUT = (ast.While, ast.AsyncFor, ast.AsyncWith, ast.Await, ast.Global)


def shows_blocks(text: str) -> bool:
    """Whether there may be any such code: cheap, and never wrong where it says no."""
    return "```" in text or "~~~" in text or "::\n" in text or ".. code" in text


def shown_values(text: str, first_line: int) -> list[Json]:
    """The statements of such blocks in the order of the text: [source, what they are said to give or "", line].

    Nothing where no block calls anything; blocks with prompts are left to who reads those.
    """
    if not shows_blocks(text):
        return []
    found: list[tuple[int, int, list[_Row]]] = []
    for each in (_FENCE, _LITERAL):
        for match in each.finditer(f"{text}\n"):
            first, last = match.span("body")
            if all(last <= start or end <= first for start, end, _ in found):
                line = first_line + text.count("\n", 0, first)
                following = text[match.end() : match.end() + _NEAR]
                found.append((first, last, list(_of_block(match["body"], line, following))))
    rows = [row for _, _, listed in sorted(found) for row in listed][:_MOST]
    return [list(row) for row in rows] if any("(" in source for source, _, _ in rows) else []


def _of_block(body: str, line: int, following: str) -> Iterator[_Row]:
    if ">>>" in body:
        return
    blank = len(body) - len(body.lstrip("\n"))
    text = dedented(body[blank:])
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    if any(isinstance(node, _LEFT_OUT) or _is_dots(node) for node in ast.walk(tree)):
        return
    lines = text.splitlines()
    for number, node in enumerate(tree.body, start=1):
        source = statement(text, node)
        if not source or len(source) > _LONGEST:
            return
        told = ""
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant):
            told = _told(node, lines) or (_told_below(following) if number == len(tree.body) else "")
        yield source, told, line + blank + node.lineno - 1


def statement(text: str, node: ast.stmt) -> str:
    """The text of a statement that stands at the margin, with the decorators above it."""
    source = ast.get_source_segment(text, node) or ""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    above = text.splitlines()[decorators[0].lineno - 1 : node.lineno - 1] if decorators else []
    return "\n".join([*above, source])


def _told(node: ast.Expr, lines: list[str]) -> str:
    """The value in a comment behind an expression, or alone on the line below it."""
    end = (node.end_lineno or node.lineno) - 1
    behind = lines[end].encode()[node.end_col_offset or 0 :].decode("utf-8", "replace")
    below = lines[end + 1].strip() if end + 1 < len(lines) else ""
    for each in (behind.strip(), below):
        match = _BEHIND.match(each)
        if match is not None and (match["lead"] or is_literal(match["value"])):
            return match["value"]
    return ""


def _told_below(following: str) -> str:
    match = _BELOW.match(following)
    return match["value"].strip() if match is not None else ""


def _is_dots(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...
