"""The fields that are taken of a field of a body, and of each one of a list: `data["owner"]["name"]`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Set

import msgspec

from ingest.web.constants.constants import constant
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of


class Inner(msgspec.Struct, frozen=True):
    """Names with whether they must be there (None: not known); `many` tells that each one of a list has them."""

    names: dict[str, bool | None]
    many: bool = False


def inner_of(
    program: Program, parents: Mapping[ast.AST, ast.AST], scope: Scope, node: ast.AST, certain: Set[ast.AST]
) -> Inner | None:
    """What is taken of the one value that is taken from the mapping `node`; None where nothing is."""
    outer = parents.get(node)
    taken = outer if isinstance(outer, ast.Subscript) else parents.get(outer) if outer is not None else None
    if not isinstance(taken, ast.Subscript | ast.Call) or isinstance(outer, ast.Compare):
        return None
    uses = list(_uses(taken, parents, scope))
    if names := dict(_names(program, parents, scope, uses, certain)):
        return Inner(names)
    each = [use for one in uses for use in _of_each(one, parents)]
    names = dict(_names(program, parents, scope, each, frozenset()))
    return Inner(names, many=True) if names else None


def _uses(taken: ast.expr, parents: Mapping[ast.AST, ast.AST], scope: Scope) -> Iterator[ast.expr]:
    """The value itself, or the places at which the one variable that holds it is named."""
    outer = parents.get(taken)
    if not isinstance(outer, ast.Assign) or len(outer.targets) != 1:
        yield taken
        return
    name = outer.targets[0]
    bindings = scope.bindings.get(name.id, []) if isinstance(name, ast.Name) else []
    if isinstance(name, ast.Name) and [each.how for each in bindings] == [Bound.VALUE]:
        yield from _loads(name.id, parents)


def _loads(name: str, nodes: Iterable[ast.AST]) -> Iterator[ast.Name]:
    for node in nodes:
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            yield node


def _of_each(use: ast.expr, parents: Mapping[ast.AST, ast.AST]) -> Iterator[ast.expr]:
    """Where each one of a list is named, over which a loop or a comprehension goes."""
    outer = parents.get(use)
    if isinstance(outer, ast.For | ast.comprehension) and outer.iter is use:
        whole = outer if isinstance(outer, ast.For) else parents.get(outer)
        if isinstance(outer.target, ast.Name) and whole is not None:
            yield from _loads(outer.target.id, nodes_of(whole))


def _names(
    program: Program,
    parents: Mapping[ast.AST, ast.AST],
    scope: Scope,
    uses: Iterable[ast.expr],
    certain: Set[ast.AST],
) -> Iterator[tuple[str, bool | None]]:
    """What these uses take by constant names, those that must be there last."""
    found: list[tuple[str, bool | None]] = []
    for use in uses:
        outer = parents.get(use)
        call = parents.get(outer) if isinstance(outer, ast.Attribute) else None
        key: ast.expr | None = None
        if isinstance(outer, ast.Subscript) and outer.value is use and isinstance(outer.ctx, ast.Load):
            key = outer.slice
        elif isinstance(outer, ast.Attribute) and outer.attr == "get" and isinstance(call, ast.Call):
            key = argument(call, 0, "key") if call.func is outer else None
        name = constant(program, key, scope) if key is not None else None
        if isinstance(name, str):
            sure = isinstance(outer, ast.Subscript) and outer in certain
            found.append((name, True if sure else None))
    yield from sorted(found, key=lambda each: each[1] is True)
