"""Which code of a page may be tried that nobody wrote to be run: what only computes, with the project's own names."""

from __future__ import annotations

import ast
from collections.abc import Collection

from engine.generators.functions.doctests_refused import changing

_PURE = frozenset(
    {
        *("abc", "base64", "calendar", "collections", "copy", "dataclasses", "datetime", "decimal", "enum"),
        *("fractions", "functools", "itertools", "json", "math", "operator", "pprint", "re", "statistics"),
        *("string", "textwrap", "typing"),
    }
)  # fmt: skip
# What waits, serves, or does something to the machine or to others.
_ACTING = frozenset(
    {
        *("connect", "delete", "download", "drop", "eval", "exec", "execute", "forever", "kill"),
        *("listen", "main", "mainloop", "post", "publish", "put", "remove", "rename", "rmtree"),
        *("run", "save", "send", "serve", "sleep", "start", "system", "unlink", "upload"),
        *("write",),
    }
)  # fmt: skip


def is_harmless(source: str, packages: Collection[str]) -> bool:
    """Whether a statement imports nothing but these packages and what only computes, and calls nothing that acts."""
    if changing(source):
        return False
    tree = ast.parse(source)
    return all(_is_allowed(node, packages) for node in ast.walk(tree))


def _is_allowed(node: ast.AST, packages: Collection[str]) -> bool:
    match node:
        case ast.Import(names=names):
            return all(_may_import(each.name, packages) for each in names)
        case ast.ImportFrom(module=module, level=0):
            return _may_import(module or "", packages)
        case ast.ImportFrom():
            return False
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return not _ACTING.intersection(name.lower().split("_"))
    return True


def _may_import(name: str, packages: Collection[str]) -> bool:
    top = name.partition(".")[0]
    return top in packages or top in _PURE
