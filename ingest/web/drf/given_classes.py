"""The class that a function of the project gives where nobody sets another: `settings.BOOK or BookSerializer`."""

from __future__ import annotations

import ast

from ingest.web.program.functions import returned
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, Target, ValueTarget


def class_given(program: Program, target: Target | None) -> ClassTarget | None:
    """The class that a call without arguments gives; None where that is not one class."""
    call = target.node if isinstance(target, ValueTarget) else None
    if not isinstance(target, ValueTarget) or not isinstance(call, ast.Call) or call.args or call.keywords:
        return None
    made = program.resolve(call.func, target.scope)
    given = returned(made) if isinstance(made, FunctionTarget) else []
    if len(given) != 1:
        return None
    node, scope = given[0]
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        node = node.values[-1]
    found = program.resolve(node, scope)
    return found if isinstance(found, ClassTarget) else None
