"""Keys that a loop over fixed names takes one after the other: `for name in ("title", "state"): data[name]`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ingest.web.constants.constants import text_of
from ingest.web.program.program import Program
from ingest.web.syntax.scopes import Scope
from ingest.web.values.rounds import seen_in_rounds

_MOST = 100
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Keys:
    """The constant keys in one function's body, of which `parents` tells what is within what."""

    def __init__(self, program: Program, parents: Mapping[ast.AST, ast.AST], scope: Scope) -> None:
        self._program = program
        self._parents = parents
        self._scope = scope
        self._names: dict[str, str] = {}

    def text(self, node: ast.expr | None) -> str | None:
        """The constant text of a key, or what a loop's variable is in this round."""
        if isinstance(node, ast.Name) and node.id in self._names:
            return self._names[node.id]
        return text_of(self._program, node, self._scope)

    def rounds(self, node: ast.AST) -> Iterator[None]:
        """Once for each name that a loop over fixed names takes of a mapping here; once where there is none."""
        for names in rounds_of(self._program, node, self._parents, self._scope):
            self._names = names
            yield
        self._names = {}


def rounds_of(
    program: Program, node: ast.AST, parents: Mapping[ast.AST, ast.AST], scope: Scope
) -> list[dict[str, str]]:
    """What the variable that names what is taken of `node` stands for, round by round; one empty round for none."""
    key = _key(node, parents)
    if not isinstance(key, ast.Name):
        return [{}]
    for target, iterable in _loops(key, parents):
        if key.id not in {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}:
            continue
        seen = seen_in_rounds(program, target, iterable, scope) or []
        found = [text_of(program, key, each) for each in seen[:_MOST]]
        return [{key.id: each} for each in found if each is not None] if found and None not in found else [{}]
    return [{}]


def _key(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> ast.expr | None:
    """The expression that names what is taken of a mapping."""
    outer = parents.get(node)
    if isinstance(outer, ast.Subscript) and outer.value is node:
        return outer.slice
    if isinstance(outer, ast.Compare) and outer.comparators == [node]:
        return outer.left
    call = parents.get(outer) if isinstance(outer, ast.Attribute) else None
    return call.args[0] if isinstance(call, ast.Call) and call.func is outer and call.args else None


def _loops(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets and iterables of the loops around a node, innermost first."""
    outer = parents.get(node)
    while outer is not None:
        if isinstance(outer, ast.For | ast.AsyncFor):
            yield outer.target, outer.iter
        elif isinstance(outer, _COMPREHENSIONS):
            yield from ((each.target, each.iter) for each in reversed(outer.generators))
        outer = parents.get(outer)
