"""What calls give that say so themselves: settings of the environment, the values of a `Literal`."""

from __future__ import annotations

import ast

from ingest.web.calls import argument, only_result
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.targets import External, FunctionTarget, ValueTarget

SETTINGS = (External("os.environ.get"), External("os.getenv"))
"""The functions that ask for a setting of the environment, with what it is where nobody sets it."""

_ARGUMENTS_OF = (External("typing.get_args"), External("typing_extensions.get_args"))


def told(program: Program, node: ast.Call, scope: Scope) -> tuple[ast.expr, Scope] | None:
    """The expression that a call gives: a setting's default, the values that `get_args` gives of a `Literal` and, where
    what is configured is followed, the one result of a function that takes nothing."""
    called = program.resolve(node.func, scope)
    if called in SETTINGS:
        default = argument(node, 1, "default")
        return (default, scope) if default is not None else None
    if isinstance(called, FunctionTarget) and program.follows and not node.args and not node.keywords:
        result = only_result(called)
        return (result, called.body) if result is not None else None
    if called not in _ARGUMENTS_OF or len(node.args) != 1:
        return None
    target = program.resolve(node.args[0], scope)
    if not isinstance(target, ValueTarget) or not isinstance(target.node, ast.Subscript):
        return None
    named = program.resolve(target.node.value, target.scope)
    written = target.node.slice
    values = written if isinstance(written, ast.Tuple) else ast.Tuple([written], ast.Load())
    literal = isinstance(named, External) and named.name == "Literal"
    return (values, target.scope) if literal else None
