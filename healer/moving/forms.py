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
    is_indented = code[0][:1].isspace()
    try:
        tree = ast.parse(f"if 1:\n{text}\n" if is_indented else text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    outer = tree.body[0]
    if is_indented and isinstance(outer, ast.If):
        return ast.dump(ast.Module([*outer.body, *tree.body[1:]], [])) if len(tree.body) == 1 else None
    return ast.dump(tree)
