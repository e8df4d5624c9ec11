"""Mutations of what a stub says of types and values."""

from __future__ import annotations

import ast
import copy
from random import Random

from benchmarks.stubs.operands import other_value, own_parameters, simple
from benchmarks.stubs.targets import Target

_LONGEST_CONSTANT = 100
"""Stubs do not repeat longer texts."""

_OTHER_TYPES = {"int": "bytes", "str": "int", "bool": "bytes", "bytes": "str", "float": "str", "None": "int"}


def change_return(target: Target, random: Random) -> ast.stmt | None:
    """Annotate another return type than the one that both sides agree on."""
    both = target.function
    if both is None or both[0].returns is None or both[1].returns is None:
        return None
    other = _other_type(both[0].returns, both[1].returns)
    if other is None:
        return None
    stub = copy.deepcopy(both[0])
    stub.returns = other
    return stub


def change_type(target: Target, random: Random) -> ast.stmt | None:
    """Annotate a parameter with another type than the one that both sides agree on."""
    both = simple(target)
    if both is None:
        return None
    places = []
    for place in own_parameters(target, both[0]):
        if place >= len(both[1].args.args):
            continue
        ours, theirs = both[0].args.args[place].annotation, both[1].args.args[place].annotation
        if ours is None or theirs is None or (other := _other_type(ours, theirs)) is None:
            continue
        # Without `| None` an annotation means the same where the default is None.
        if not (isinstance(ours, ast.BinOp) and place >= len(both[0].args.args) - len(both[0].args.defaults)):
            places.append((place, other))
    if not places:
        return None
    place, other = random.choice(places)
    both[0].args.args[place].annotation = other
    return both[0]


def change_attribute(target: Target, random: Random) -> ast.stmt | None:
    """Annotate an attribute with another type than the one that both sides agree on."""
    if not isinstance(target.stub, ast.AnnAssign) or not isinstance(target.code, ast.AnnAssign):
        return None
    other = _other_type(target.stub.annotation, target.code.annotation)
    return None if other is None else ast.AnnAssign(target.stub.target, other, None, target.stub.simple)


def change_value(target: Target, random: Random) -> ast.stmt | None:
    """Give a constant another value than the code's."""
    if target.owner is not None or not isinstance(target.stub, ast.AnnAssign | ast.Assign):
        return None
    value = target.code.value if isinstance(target.code, ast.AnnAssign | ast.Assign) else None
    name = target.symbol.rpartition(".")[2]
    if not name.isupper() or value is None or not isinstance(value, ast.Constant) or value.value is None:
        return None
    other = other_value(value)
    if other is None or len(str(value.value)) > _LONGEST_CONSTANT:
        return None
    return ast.AnnAssign(ast.Name(name), ast.Name(type(value.value).__name__), other, 1)


def _other_type(ours: ast.expr, theirs: ast.expr) -> ast.expr | None:
    """Another builtin type, where both sides write the same builtin type, with or without `None` or arguments."""
    if ast.unparse(ours).strip("'\"") != ast.unparse(theirs).strip("'\""):
        return None
    match ours:
        case ast.Name(id=name) if name in _OTHER_TYPES:
            return ast.Name(_OTHER_TYPES[name])
        case ast.Constant(value=None):
            return ast.Name("int")
        case ast.Subscript(value=ast.Name(id="list" | "set" | "dict" | "tuple" as name)):
            return ast.Name("int" if name == "dict" else "str")
        case ast.BinOp(left=ast.Name(id=name), op=ast.BitOr(), right=ast.Constant(value=None)) if (
            name in _OTHER_TYPES
        ):
            return ast.Name(name)
        case _:
            return None
