"""The form of a body: what the parser makes of it, whatever its comments, blanks, line breaks and quotes."""

from __future__ import annotations

import ast
from collections.abc import Iterable


def form(pieces: Iterable[bytes]) -> str | None:
    """The form of a body that stands in these places of a file; None where it cannot be parsed by itself.

    Bodies of equal forms do the same: they only are laid out otherwise.
    """
    text = b"\n".join(pieces).decode("utf-8", "replace")
    code = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not code:
        return ""
    try:
        if not code[0][:1].isspace():
            return ast.dump(ast.parse(text.strip()))
        outer, *rest = ast.parse(f"if 1:\n{text}\n").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return ast.dump(ast.Module(outer.body, [])) if isinstance(outer, ast.If) and not rest else None
