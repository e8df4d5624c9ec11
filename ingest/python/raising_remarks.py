"""What a block of Python without prompts says to raise: by a remark behind a line, or by `pytest.raises` around it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from graph.patterns import pattern

# `# raises KeyError`, `# -> KeyError: 'a'`, `# KeyError`; what else a remark begins with tells of something else.
_RAISES = pattern(
    r"[ \t]*#[ \t]*(?:(?:[=-]+>|→|⇒)[ \t]*)?"
    r"(?P<verb>(?:(?:this|it|will|would|which)[ \t]+)*(?:raises?|throws?)[ \t:]+(?:an?[ \t]+)?)?"
    r"`*(?P<error>(?:[A-Za-z_]\w*\.)*[A-Z]\w*)`*(?P<rest>(?:[ \t]*[:!.(,].*)?)",
    re.IGNORECASE,
)
_IS_ERROR = pattern(r"(?:Error|Exception|Exit|Interrupt|Iteration)$|^[A-Z]\w+$")
_NAMED = pattern(r"(?:Error|Exception)$")
_ALONE = pattern(r"(?:\*\*\* )?(?P<error>(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)): [^\n]*")
_OF_FAILING = r"\b(?:fails?|raises?|(?:will|would|does|do)[ \t]+not[ \t]+(?:pass|hold|work))\b"
_FAILS = pattern(_OF_FAILING, re.IGNORECASE)
_DENIED = pattern(
    rf"#.*(?:{_OF_FAILING}|\bAssertionError\b)|#[ \t]*(?:false|no|wrong|error|not true|incorrect)\b[!.]?[ \t]*$",
    re.IGNORECASE,
)


def is_said_to_fail(node: ast.stmt, lines: Sequence[str]) -> bool:
    """Whether a remark behind an assertion, or on the line above it, says that it does not hold."""
    above = lines[node.lineno - 2].strip() if node.lineno > 1 else ""
    return bool(_DENIED.search(_behind(node, lines)) or (above.startswith("#") and _FAILS.search(above)))


def _behind(node: ast.stmt, lines: Sequence[str]) -> str:
    """What stands behind a statement on its last line."""
    line = lines[(node.end_lineno or node.lineno) - 1]
    return line.encode()[node.end_col_offset or 0 :].decode("utf-8", "replace")


def raised_behind(node: ast.stmt, lines: Sequence[str]) -> list[str] | None:
    """A statement and the error that the remark behind it says to come of it, as a console shows it."""
    if not isinstance(node, ast.Expr | ast.Assign) or "#" not in lines[(node.end_lineno or 1) - 1]:
        return None
    found = _RAISES.fullmatch(_behind(node, lines).rstrip())
    if found is None:
        return None
    name = found["error"].rpartition(".")[2]
    is_told = _IS_ERROR.search(name) if found["verb"] else _NAMED.search(name)
    return [ast.unparse(node), _shown(found["error"])] if is_told else None


def raised_inside(node: ast.stmt) -> list[str] | None:
    """The only statement below `with pytest.raises(...)`, and the error that is expected of it."""
    match node:
        case ast.With(
            items=[
                ast.withitem(
                    context_expr=ast.Call(
                        func=ast.Name(id="raises") | ast.Attribute(attr="raises"), args=[error]
                    ),
                    optional_vars=None,
                )
            ],
            body=[ast.Expr() | ast.Assign() as only],
        ) if isinstance(error, ast.Name | ast.Attribute):
            return [ast.unparse(only), _shown(ast.unparse(error))]
    return None


def raised_alone(shown: str) -> str:
    """What a console shows of an error without its traceback, or as a debugger does, with it: `*** KeyError: 'a'`.

    The words of such an error are mostly cut, and so are left out. All else stays as it is.
    """
    found = _ALONE.fullmatch(shown)
    return _shown(found["error"]) if found else shown


def caught(source: str, shown: str) -> list[str] | None:
    """What a console tries and shows of the error that it catches, as what raises it and shows it; None for all else.

    `try: price(-1)`, `except ValueError as error: print(error)`, and its words below.
    """
    if not source.startswith("try:") or not shown or "\n" in shown:
        return None
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    match tree.body:
        case [
            ast.Try(
                body=[ast.Expr() | ast.Assign() as only],
                handlers=[
                    ast.ExceptHandler(
                        type=(ast.Name() | ast.Attribute()) as error,
                        name=name,
                        body=[ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=[told], keywords=[]))],
                    )
                ],
                orelse=[],
                finalbody=[],
            )
        ] if "print" not in ast.unparse(only):
            words = f": {shown}" if name is not None and ast.unparse(told) in (name, f"str({name})") else ""
            return [ast.unparse(only), _shown(f"{ast.unparse(error)}{words}")]
    return None


def _shown(error: str) -> str:
    return f"Traceback (most recent call last):\n{error}"
