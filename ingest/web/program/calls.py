"""Calls: what is given for which parameter, and what functions give that do nothing else."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.program.targets import FunctionTarget, ParameterTarget
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.scopes import Scope


def argument(call: ast.Call | None, position: int | None, *names: str) -> ast.expr | None:
    """The argument that a call gives by one of these names, or at this position."""
    if call is None:
        return None
    for keyword in call.keywords:
        if keyword.arg in names:
            return keyword.value
    if position is None or any(isinstance(a, ast.Starred) for a in call.args[: position + 1]):
        return None
    return call.args[position] if 0 <= position < len(call.args) else None


def has_stars(call: ast.Call | None) -> bool:
    """Whether a call passes on arguments that cannot be seen (`*args`, `**options`)."""
    return call is not None and (
        any(k.arg is None for k in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args)
    )


def given_for(
    parameter: ParameterTarget, called: FunctionTarget, call: ast.Call | None, scope: Scope
) -> tuple[ast.expr | None, Scope]:
    """What a call in this scope gives for a parameter of the called function, else the default; with its scope."""
    names = parameter_names(called)
    position = names.index(parameter.name) if parameter.name in names else None
    value = argument(call, position, parameter.name)
    return (value, scope) if value is not None else (parameter.default, called.scope)


def parameter_names(function: FunctionTarget) -> list[str]:
    """The names of what a call gives a function, in order: of a method all but `self` or `cls`."""
    names = [argument.arg for argument, _ in parameters(function.node)]
    return names[1:] if function.scope.is_class and not is_static(function) else names


def named_arguments(call: ast.Call, called: FunctionTarget) -> list[tuple[str, ast.expr]]:
    """What a call writes out for the parameters of a function, by their names; `**options` have the name ""."""
    positional = zip(parameter_names(called), call.args, strict=False)
    return [*positional, *((keyword.arg or "", keyword.value) for keyword in call.keywords)]


def taken_by_key(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """Of what something is taken and under which key: `table["name"]`, `table.get("name")`; None for anything else."""
    match node:
        case ast.Subscript(value=table, slice=key):
            return table, key
        case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, *_]):
            return table, key
    return None


def is_static(function: FunctionTarget) -> bool:
    """Whether this is a static method."""
    return isinstance(function.node, Function) and any(
        isinstance(d, ast.Name) and d.id == "staticmethod" for d in function.node.decorator_list
    )


def only_result(function: FunctionTarget) -> ast.expr | None:
    """What a function gives that does nothing else; None of any other."""
    if isinstance(function.node, ast.Lambda):
        return function.node.body
    body = function.node.body[ast.get_docstring(function.node) is not None :]
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None


def last_result(function: FunctionTarget) -> ast.expr | None:
    """What a function gives at its end where it gives nothing else, whatever it works out or refuses before; None of
    any other."""
    if isinstance(function.node, ast.Lambda):
        return function.node.body
    *before, last = function.node.body
    simple = all(isinstance(each, _WORKING_OUT) or _refuses(each) for each in before)
    return last.value if simple and isinstance(last, ast.Return) else None


_WORKING_OUT: Final = (ast.Assign, ast.AnnAssign, ast.Expr, ast.Import, ast.ImportFrom)


def _refuses(statement: ast.stmt) -> bool:
    """Whether this only raises something under a condition."""
    match statement:
        case ast.If(body=body, orelse=[]):
            return all(isinstance(each, ast.Assign | ast.Raise) for each in body) and isinstance(
                body[-1], ast.Raise
            )
    return False
