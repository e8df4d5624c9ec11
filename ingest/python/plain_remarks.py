"""What blocks without prompts tell of their lines by no sign but a value: in the comment behind or below one, behind
the name that it gets, or compared with it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from graph.literals import is_literal, literal_value
from graph.patterns import pattern
from ingest.python.shown_output import remarked, whole

_ARROW = pattern(r"#[ \t]*(?:=>|==>|->|→|⇒)[ \t]*(?P<value>.+?)[ \t]*$")
# A text, something in brackets, or what is never a word of a sentence by itself; no number of a note.
_VALUE = pattern(r"(?!\(\d+\)$)(?:[\[{(\"'].*|True|False|None)", re.DOTALL)
_TOKEN = pattern(r"[ \t]*#[ \t]*(?P<token>[^\s#'\"]+)[ \t]*")
_APART = pattern(r"[\W_]+")
# So many lines of a block are compared with values before it is sure that they are there to say so.
_SEVERAL = 2


def named_value(node: ast.Assign, lines: Sequence[str]) -> list[str]:
    """The name that gets what a call gives, and the value that a comment behind it tells; empty without one."""
    match node:
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call() | ast.Attribute() | ast.Subscript() | ast.Compare()
        ):
            behind = _behind(node, lines)
        case _:
            return []
    if found := _ARROW.search(behind):
        told = whole(found["value"], lines[node.end_lineno or node.lineno :]) or ""
        return [name, told] if is_literal(told) else []
    told = remarked(behind)
    return [name, told] if _VALUE.fullmatch(told) else []


def value_below(following: Sequence[str]) -> str | None:
    """The value that stands in the comment below an expression, with nothing but its own lines in comments."""
    below = following[0].strip() if following else ""
    value = below.removeprefix("#").strip()
    if not below.startswith("#") or not _VALUE.fullmatch(value):
        return None
    if is_literal(value):
        is_alone = len(following) < _SEVERAL or not following[1].strip().startswith("#")
        return value if is_alone else None
    told = whole(value, following[1:])
    return told if told is not None and is_literal(told) else None


def respelled(node: ast.Expr, behind: str) -> str:
    """What a call makes of a text, where the word behind it has the same letters: `camelize("a_text")  # aText`."""
    found = _TOKEN.fullmatch(behind)
    match node.value:
        case ast.Call(args=[ast.Constant(value=str() as given)], keywords=[]) if found and len(given) > 3:
            token = found["token"]
            is_same = _letters(token) == _letters(given) and not is_literal(token)
            return repr(token) if is_same else ""
    return ""


def _letters(text: str) -> str:
    return _APART.sub("", text).casefold()


def compared(tree: ast.Module) -> dict[int, ast.Assert]:
    """The statements of a block that compare something with a value and do nothing else, by their places, as what they
    assert; none where there is only one of them, or where classes are compared, which may describe a query."""
    found = {}
    for place, node in enumerate(tree.body):
        match node:
            case ast.Expr(
                value=ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]) as test
            ) if literal_value(right) is not ... and is_literal(right) and _is_asked(left):
                found[place] = ast.copy_location(ast.Assert(test), node)
    return found if len(found) >= _SEVERAL else {}


def _is_asked(left: ast.expr) -> bool:
    """Whether something is asked of an object or module, and not of a class."""
    root: ast.expr = left
    while isinstance(root, ast.Attribute | ast.Call | ast.Subscript):
        root = root.func if isinstance(root, ast.Call) else root.value
    return left is not root and isinstance(root, ast.Name) and re.match(r"[A-Z]", root.id) is None


def _behind(node: ast.stmt, lines: Sequence[str]) -> str:
    line = lines[(node.end_lineno or node.lineno) - 1]
    return line.encode()[node.end_col_offset or 0 :].decode("utf-8", "replace")
