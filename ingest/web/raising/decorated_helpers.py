"""Helpers that the project decorates itself: what its decorators run around each call of them."""

from __future__ import annotations

import ast

from ingest.web.program.targets import FunctionTarget
from ingest.web.raising.decorators import makes_wrapper
from ingest.web.syntax.bindings import Function
from ingest.web.values.instances import Instances
from ingest.web.values.specialised import called_by


def wrappers_around(instances: Instances, helper: FunctionTarget) -> list[FunctionTarget]:
    """The functions that the project's own decorators put around a helper, as these are told what they are told."""
    if not isinstance(helper.node, Function) or not helper.node.decorator_list:
        return []
    return instances.program.remember(("around", helper.node), lambda: _found(instances, helper))


def _found(instances: Instances, helper: FunctionTarget) -> list[FunctionTarget]:
    found: list[FunctionTarget] = []
    for decorator in getattr(helper.node, "decorator_list", ()):
        call = decorator if isinstance(decorator, ast.Call) else None
        made = called_by(instances, call, helper.scope) if call is not None else None
        target = made or instances.program.resolve(call.func if call is not None else decorator, helper.scope)
        if not isinstance(target, FunctionTarget):
            continue
        for scope in target.body.descend():
            if scope.parent is None or scope.node is target.node or not isinstance(scope.node, Function):
                continue
            found += [] if makes_wrapper(scope) else [FunctionTarget(scope.node, scope.parent)]
    return found
