"""What a handler and the functions to which it hands the request on use of that."""

from __future__ import annotations

import ast
from collections.abc import Collection

from ingest.web.program.calls import has_stars, named_arguments
from ingest.web.program.targets import FunctionTarget
from ingest.web.requests.argument_uses import attributes_used
from ingest.web.values.instances import Instances

_DEPTH = 6


def uses_of(
    instances: Instances, function: FunctionTarget, name: str, showing: Collection[str], depth: int = 0
) -> set[str]:
    """The attributes of an argument that a function and those that it calls use; an empty string where it is handed on
    to something that cannot be followed. Methods of the names in `showing` only show it."""
    used = attributes_used(function, name, showing)
    if "" not in used or depth > _DEPTH:
        return used
    key = ("uses of", function.node, name)
    return instances.program.remember(key, lambda: _followed(instances, function, name, showing, depth))


def _followed(
    instances: Instances, function: FunctionTarget, name: str, showing: Collection[str], depth: int
) -> set[str]:
    handed: set[ast.expr] = set()
    found: set[str] = set()
    for scope in function.body.descend():
        for call in scope.calls:
            given = [*call.args, *(each.value for each in call.keywords)]
            own = {each for each in given if isinstance(each, ast.Name) and each.id == name}
            called = instances.callee(call.func, scope) if own and not has_stars(call) else None
            if not isinstance(called, FunctionTarget) or called.node is function.node:
                continue
            for parameter, value in named_arguments(call, called):
                if value in own and parameter:
                    handed.add(value)
                    found |= uses_of(instances, called, parameter, showing, depth + 1)
    return found | attributes_used(function, name, showing, handed)
