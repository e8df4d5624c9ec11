"""Mutations of the parameters of a stub's functions: names, order, defaults, how they are passed."""

from __future__ import annotations

import ast
from random import Random

from benchmarks.stubs.operands import is_special, other_value, own_parameters, simple
from benchmarks.stubs.targets import FunctionNode, Target


def rename(target: Target, random: Random) -> ast.stmt | None:
    """Give a parameter another name."""
    both = simple(target)
    places = own_parameters(target, both[0]) if both else []
    if both is None or not places or is_special(both[0]):
        return None
    argument = both[0].args.args[random.choice(places)]
    argument.arg = f"{argument.arg}_other"
    return both[0]


def remove_parameter(target: Target, random: Random) -> ast.stmt | None:
    """Leave out the last positional parameter."""
    both = simple(target)
    if (
        both is None
        or not own_parameters(target, both[0])
        or own_parameters(target, both[0])[-1] != len(both[0].args.args) - 1
    ):
        return None
    arguments = both[0].args
    arguments.args.pop()
    if arguments.defaults:
        arguments.defaults.pop()
    return both[0]


def add_parameter(target: Target, random: Random) -> ast.stmt | None:
    """Add a parameter that the code does not take."""
    both = simple(target)
    if both is None or _is_property(both[0]):
        return None
    added = ast.arg("another_parameter", ast.Name("int"))
    if random.random() < 0.5:
        both[0].args.kwonlyargs.append(added)
        both[0].args.kw_defaults.append(None)
    else:
        both[0].args.args.append(added)
        if both[0].args.defaults:
            both[0].args.defaults.append(ast.Constant(...))
    return both[0]


def reorder(target: Target, random: Random) -> ast.stmt | None:
    """Swap two neighbouring parameters, both required or both with a default."""
    both = simple(target)
    if both is None or is_special(both[0]):
        return None
    arguments = both[0].args
    required = len(arguments.args) - len(arguments.defaults)
    own = own_parameters(target, both[0])
    places = [i for i in own[:-1] if i + 1 in own and (i + 1 < required or i >= required)]
    if not places:
        return None
    place = random.choice(places)
    arguments.args[place : place + 2] = reversed(arguments.args[place : place + 2])
    if place >= required:
        index = place - required
        arguments.defaults[index : index + 2] = reversed(arguments.defaults[index : index + 2])
    return both[0]


def drop_default(target: Target, random: Random) -> ast.stmt | None:
    """Make the first optional parameter a required one."""
    both = simple(target)
    if both is None or not both[0].args.defaults or not both[1].args.defaults:
        return None
    if len(both[0].args.defaults) != len(both[1].args.defaults):
        return None
    both[0].args.defaults.pop(0)
    return both[0]


def change_default(target: Target, random: Random) -> ast.stmt | None:
    """Give a parameter another literal default than the code has."""
    both = simple(target)
    if both is None or len(both[0].args.defaults) != len(both[1].args.defaults):
        return None
    places = [i for i, each in enumerate(both[1].args.defaults) if other_value(each) is not None]
    if not places:
        return None
    place = random.choice(places)
    other = other_value(both[1].args.defaults[place])
    assert other is not None, "only places with another value are chosen"
    both[0].args.defaults[place] = other
    return both[0]


def change_parameter_kind(target: Target, random: Random) -> ast.stmt | None:
    """Make the last positional parameter keyword-only."""
    both = simple(target)
    if both is None or is_special(both[0]) or not both[0].args.args:
        return None
    arguments = both[0].args
    if len(arguments.args) - 1 not in own_parameters(target, both[0]):
        return None
    moved = arguments.args.pop()
    arguments.kwonlyargs.insert(0, moved)
    arguments.kw_defaults.insert(0, arguments.defaults.pop() if arguments.defaults else None)
    return both[0]


def _is_property(node: FunctionNode) -> bool:
    return any(ast.unparse(each).rpartition(".")[2] == "property" for each in node.decorator_list)
