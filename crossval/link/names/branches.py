"""Whether the branches in which a name is defined leave no way around it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from itertools import product

from crossval.compare.annotations import parse_expression

_MOST_CONDITIONS = 6


def cover_all(guards: Iterable[str]) -> bool:
    """Whether one of these conditions always holds, whatever the single conditions in them turn out to be.

    Two that read alike are taken to be one: what stands between the branches of an `if` does not run.
    """
    trees = [parse_expression(guard) for guard in guards]
    if len(trees) < 2 or any(tree is None for tree in trees):
        return False
    conditions = [tree for tree in trees if tree is not None]
    atoms = sorted({atom for tree in conditions for atom in _atoms(tree)})
    if len(atoms) > _MOST_CONDITIONS:
        return False
    for values in product((False, True), repeat=len(atoms)):
        held = dict(zip(atoms, values, strict=True))
        if not any(_holds(tree, held) for tree in conditions):
            return False
    return True


def _atoms(node: ast.expr) -> set[str]:
    match node:
        case ast.BoolOp(values=values):
            return {atom for value in values for atom in _atoms(value)}
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _atoms(operand)
        case _:
            return {ast.unparse(node)}


def _holds(node: ast.expr, held: Mapping[str, bool]) -> bool:
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            return all(_holds(value, held) for value in values)
        case ast.BoolOp(values=values):
            return any(_holds(value, held) for value in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _holds(operand, held)
        case _:
            return held[ast.unparse(node)]
