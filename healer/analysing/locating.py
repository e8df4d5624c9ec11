"""Finds in a test's text what a failure is about: the statement that failed, its sides, and where a name occurs."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_EQUAL = frozenset({"assertEqual", "assertEquals", "assertIs", "assertListEqual", "assertDictEqual"}) | {
    "assertTupleEqual",
    "assertSetEqual",
    "assertMultiLineEqual",
    "assertCountEqual",
    "assertAlmostEqual",
}


@lru_cache(maxsize=64)
def parsed(text: str) -> ast.Module | None:
    """The tree of a file, remembered; `None` where it is not valid Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def statement_at(text: str, line: int) -> ast.stmt | None:
    """The innermost statement that stands on a line; `None` where there is none."""
    tree = parsed(text)
    standing = [
        node
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return max(standing, key=lambda node: node.lineno, default=None)


def source_of(text: str, line: int) -> str:
    """The text of the statement on a line, of a compound one only its head; empty where there is none."""
    statement = statement_at(text, line)
    if statement is None:
        return ""
    last = statement.end_lineno or statement.lineno
    body = getattr(statement, "body", None)
    if isinstance(body, list) and body:
        last = max(statement.lineno, body[0].lineno - 1)
    return "\n".join(text.splitlines()[statement.lineno - 1 : last]).strip()


def expected_exception(text: str, line: int) -> str:
    """The exception that the statement on a line, or a `with` around it, is to raise, as source text; else empty."""
    tree = parsed(text)
    found = ""
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.With | ast.AsyncWith) and node.lineno <= line <= (node.end_lineno or 0):
            for item in node.items:
                found = _raised_by(item.context_expr) or found
    if not found:
        statement = statement_at(text, line)
        if isinstance(statement, ast.Expr):
            found = _raised_by(statement.value)
    return found


def sides(text: str, line: int) -> tuple[ast.expr, ast.expr] | None:
    """What the failed comparison on a line compares, first what is observed, then what is expected.

    The expected side is the one that is a plain value; where both or none is, the second.
    """
    statement = statement_at(text, line)
    pair: tuple[ast.expr, ast.expr] | None = None
    if isinstance(statement, ast.Assert):
        test = statement.test
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq | ast.Is):
            pair = test.left, test.comparators[0]
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if isinstance(call.func, ast.Attribute) and call.func.attr in _EQUAL and len(call.args) >= 2:
            pair = call.args[0], call.args[1]
    if pair is not None and is_plain(pair[0]) and not is_plain(pair[1]):
        return pair[1], pair[0]
    return pair


def is_plain(node: ast.expr) -> bool:
    """Whether an expression is a value that stands there: constants, and displays of them."""
    return all(
        isinstance(
            each,
            ast.Constant
            | ast.Tuple
            | ast.List
            | ast.Set
            | ast.Dict
            | ast.UnaryOp
            | ast.unaryop
            | ast.expr_context,
        )
        for each in ast.walk(node)
    )


def occurrences(text: str, name: str) -> list[int]:
    """The lines on which a name stands as a word of its own, a line as often as it stands there."""
    word = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)" if "." in name else rf"\b{re.escape(name)}\b")
    return [number for number, line in enumerate(text.splitlines(), 1) for _ in word.finditer(line)]


def function_around(text: str, line: int) -> tuple[int, int] | None:
    """The first and last line of the innermost function around a line; `None` outside of all."""
    return max((span for span in _spans(text) if span[0] <= line <= span[1]), default=None)


@lru_cache(maxsize=64)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    """The first and last lines of all functions of a file, remembered: many tests of one file ask for them."""
    tree = parsed(text)
    return tuple(
        (node.lineno, node.end_lineno or node.lineno)
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, _Function)
    )


def _raised_by(node: ast.expr) -> str:
    if isinstance(node, ast.Call) and node.args:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in ("raises", "assertRaises", "assertRaisesRegex"):
            return ast.unparse(node.args[0])
    return ""
