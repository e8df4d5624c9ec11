"""The handlers that routes name: methods of objects, also through `getattr(self, name)` and names for these."""

from __future__ import annotations

import ast

from ingest.web.program.targets import FunctionTarget, ValueTarget
from ingest.web.syntax.scopes import Scope
from ingest.web.values.imported_names import attribute_asked
from ingest.web.values.instances import Class, Instances
from ingest.web.values.partials import called_with_rest

_DEPTH = 5


def named_handler(
    instances: Instances, node: ast.expr, scope: Scope, depth: int = 0
) -> FunctionTarget | Class | None:
    """What is called when this expression is: as `Instances.callee`, for an expression that a route is given."""
    asked = attribute_asked(instances.program, node, scope)
    target = instances.program.resolve(asked, scope)
    named = target.node if isinstance(target, ValueTarget) and target.node is not asked else None
    if isinstance(target, ValueTarget) and isinstance(named, ast.Attribute | ast.Call) and depth < _DEPTH:
        found = named_handler(instances, named, target.scope, depth + 1)
        if isinstance(found, FunctionTarget):
            return found
    return called_with_rest(instances, asked, scope)
