"""Mutations that leave definitions and bases out of a stub, or add a base."""

from __future__ import annotations

import ast
import copy
from random import Random

from benchmarks.stubs.targets import Target


def remove_function(target: Target, random: Random) -> ast.stmt | None:
    """Leave a function or method out of the stub, of overriding ones none: stubs need not repeat those."""
    both = target.function
    if both is None or both[0].name == "__init__" or target.inherited:
        return None
    return ast.Expr(ast.Constant(...))


def remove_class(target: Target, random: Random) -> ast.stmt | None:
    """Leave a class out of the stub."""
    return None if target.class_ is None or target.inherited else ast.Expr(ast.Constant(...))


def remove_attribute(target: Target, random: Random) -> ast.stmt | None:
    """Leave an attribute out of the stub that the code sets where it can be seen."""
    if not isinstance(target.stub, ast.AnnAssign | ast.Assign) or target.inherited:
        return None
    if not isinstance(target.code, ast.AnnAssign | ast.Assign):
        return None
    return ast.Expr(ast.Constant(...))


def remove_base(target: Target, random: Random) -> ast.stmt | None:
    """Leave out a base that both sides name."""
    both = target.class_
    if both is None:
        return None
    shared = {ast.unparse(base) for base in both[1].bases}
    places = [
        i
        for i, base in enumerate(both[0].bases)
        if isinstance(base, ast.Name | ast.Attribute) and ast.unparse(base) in shared
        if ast.unparse(base) != "object" and not ast.unparse(base).rpartition(".")[2].startswith("_")
    ]
    if not places:
        return None
    stub = copy.deepcopy(both[0])
    stub.bases.pop(random.choice(places))
    return stub


def add_base(target: Target, random: Random) -> ast.stmt | None:
    """Name a base that the code does not have."""
    both = target.class_
    if both is None or any(not isinstance(base, ast.Name) or base.id != "object" for base in both[1].bases):
        return None
    if both[1].keywords or both[0].bases:
        return None
    stub = copy.deepcopy(both[0])
    stub.bases = [ast.Name("ValueError")]
    return stub
