"""Exceptions that a function is given and raises: `def verify(token, refusal): … raise refusal`."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from ingest.web.program.calls import given_for
from ingest.web.program.targets import External, FunctionTarget, ParameterTarget
from ingest.web.raising.exceptions import Exit
from ingest.web.raising.raising import made_exits
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances


def raised_as_given(instances: Instances, node: ast.expr, scope: Scope) -> list[Exit] | None:
    """The exception that an expression is as calls give it; None where it is no parameter of the function."""
    target = instances.program.resolve(node, scope)
    if not isinstance(target, ParameterTarget) or target.scope is not scope:
        return None
    place = instances.program.place(node, scope)
    return [Exit(External("builtins.BaseException"), False, None, place, given=target)]


def as_called(
    instances: Instances, leaving: Exit, called: FunctionTarget, call: ast.Call | None, scope: Scope
) -> list[Exit] | None:
    """What leaves a call of a function that raises what it is given; None where that cannot be known."""
    if leaving.given is None or leaving.given.scope is not called.body:
        return [leaving]
    value, inner = given_for(leaving.given, called, call, scope)
    if value is None:
        return None
    found = made_exits(instances, value, inner) or raised_as_given(instances, value, inner)
    return found and [
        replace(each, place=leaving.place, via=leaving.via, modes=leaving.modes) for each in found
    ]
