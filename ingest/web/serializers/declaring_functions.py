"""Functions of a project that declare with drf-spectacular's `extend_schema` what they are called with:
`def orders_schema(**options): return extend_schema(tags=["orders"], **options)`."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.program.calls import has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope

_DECORATOR: Final = "extend_schema"
Options = dict[str, tuple[ast.expr, Scope]]


def added_by(program: Program, call: ast.Call, scope: Scope) -> Options | None:
    """What a function of the project adds to the options of a call of it before it declares them all; None where it is
    no such function, or may do more."""
    made = program.resolve(call.func, scope)
    if not isinstance(made, FunctionTarget) or call.args or has_stars(call):
        return None
    return program.remember(("declaring function", made.node), lambda: _added(program, made))


def _added(program: Program, made: FunctionTarget) -> Options | None:
    node = made.node
    if (
        not isinstance(node, ast.FunctionDef)
        or node.decorator_list
        or (options := _only_options(node)) is None
    ):
        return None
    body = [each for each in node.body if not _is_text(each)]
    match body:
        case [ast.Return(value=ast.Call(args=[]) as inner)] if _is_spread(inner, options):
            own = {each.arg: each.value for each in inner.keywords if each.arg is not None}
        case [
            ast.Assign(targets=[ast.Name(id=held)], value=ast.Dict(keys=keys, values=values)),
            ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=filled), attr="update"),
                    args=[ast.Name(id=given)],
                    keywords=[],
                )
            ),
            ast.Return(value=ast.Call(args=[], keywords=[ast.keyword(arg=None)]) as inner),
        ] if held == filled and given == options and _is_spread(inner, held):
            named = [(getattr(key, "value", None), value) for key, value in zip(keys, values, strict=True)]
            own = {name: value for name, value in named if isinstance(name, str)}
            if len(own) != len(named):
                return None
        case _:
            return None
    target = program.resolve(inner.func, made.body)
    if not isinstance(target, External) or (target.root, target.name) != ("drf_spectacular", _DECORATOR):
        return None
    return {name: (value, made.body) for name, value in own.items()}


def _only_options(node: Function) -> str | None:
    """The name of `**options` where a function takes nothing else."""
    taken = node.args
    others = (*taken.posonlyargs, *taken.args, *taken.kwonlyargs)
    return taken.kwarg.arg if taken.kwarg is not None and taken.vararg is None and not others else None


def _is_spread(call: ast.Call, name: str) -> bool:
    """Whether a call passes on the options of this name, and no others that are not seen."""
    spread = [each.value for each in call.keywords if each.arg is None]
    return len(spread) == 1 and isinstance(spread[0], ast.Name) and spread[0].id == name


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
