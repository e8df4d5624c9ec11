"""The mutations of a stub: each changes one thing that its code contradicts, and says as what that must be reported."""

from __future__ import annotations

import ast
from collections.abc import Callable
from random import Random
from typing import NamedTuple, TypeAlias

from benchmarks.stubs import operators_functions as functions
from benchmarks.stubs import operators_members as members
from benchmarks.stubs import operators_parameters as parameters
from benchmarks.stubs import operators_types as types
from benchmarks.stubs.records import Kind
from benchmarks.stubs.targets import Target

Mutate: TypeAlias = Callable[[Target, Random], ast.stmt | None]
"""The statement that replaces the target's in the stub; None where the mutation does not apply to it."""


class Operator(NamedTuple):
    """A mutation, and the kinds of report any of which tells it."""

    name: str
    mutate: Mutate
    told_as: frozenset[Kind]


_SHAPE = frozenset({Kind.PARAMETERS, Kind.DEFAULT})


def _kinds(*kinds: Kind) -> frozenset[Kind]:
    return frozenset(kinds)


OPERATORS = (
    Operator("parameter renamed", parameters.rename, _SHAPE),
    Operator("parameter removed", parameters.remove_parameter, _SHAPE),
    Operator("parameter added", parameters.add_parameter, _SHAPE),
    Operator("parameters reordered", parameters.reorder, _SHAPE),
    Operator("default dropped", parameters.drop_default, _SHAPE),
    Operator("default changed", parameters.change_default, _SHAPE | {Kind.TYPE}),
    Operator("parameter's kind changed", parameters.change_parameter_kind, _SHAPE),
    Operator(
        "method's kind changed", functions.change_binding, _kinds(Kind.BINDING, Kind.KIND, Kind.PROPERTY)
    ),
    Operator("async flipped", functions.flip_async, _kinds(Kind.ASYNC, Kind.RETURNS)),
    Operator("return type changed", types.change_return, _kinds(Kind.RETURNS, Kind.TYPE)),
    Operator("parameter's type changed", types.change_type, _kinds(Kind.TYPE)),
    Operator("attribute's type changed", types.change_attribute, _kinds(Kind.TYPE)),
    Operator("constant's value changed", types.change_value, _kinds(Kind.VALUE, Kind.TYPE)),
    Operator("function removed", members.remove_function, _kinds(Kind.NOT_IN_STUB)),
    Operator("class removed", members.remove_class, _kinds(Kind.NOT_IN_STUB)),
    Operator("attribute removed", members.remove_attribute, _kinds(Kind.NOT_IN_STUB)),
    Operator("base removed", members.remove_base, _kinds(Kind.BASES)),
    Operator("base added", members.add_base, _kinds(Kind.BASES)),
)
