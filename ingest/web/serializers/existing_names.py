"""Lists of names that a function of the project narrows to those which a model has:
`exclude = existing(Book, ("kept", "gone"))`."""

from __future__ import annotations

import ast

from graph.facts import Json
from ingest.web.constants.constants import constant
from ingest.web.program.calls import given_for
from ingest.web.program.functions import returned
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget, ParameterTarget, Target, ValueTarget
from ingest.web.syntax.scopes import Scope


def existing(program: Program, target: Target) -> list[Json] | None:
    """The names before they are narrowed: to leave out what a model lacks changes nothing. None for all other lists."""
    if not isinstance(target, ValueTarget) or target.node is None:
        return None
    listed = _narrowed(target.node)
    if listed is not None:
        return _names(program, listed, target.scope) if _asks_a_model(target.node) else None
    call = target.node
    made = program.resolve(call.func, target.scope) if isinstance(call, ast.Call) else None
    results = returned(made) if isinstance(made, FunctionTarget) else []
    if not isinstance(call, ast.Call) or not isinstance(made, FunctionTarget) or len(results) != 1:
        return None
    listed = _narrowed(results[0][0])
    parameter = program.resolve(listed, made.body) if listed is not None else None
    if not isinstance(parameter, ParameterTarget) or not _asks_a_model(made.node):
        return None
    node, scope = given_for(parameter, made, call, target.scope)
    return _names(program, node, scope)


def _narrowed(node: ast.expr) -> ast.expr | None:
    """What `[name for name in names if name in columns]` goes through, be it made a tuple."""
    match node:
        case ast.Call(
            func=ast.Name(id="tuple" | "list"), args=[ast.GeneratorExp() | ast.ListComp() as inner]
        ):
            node = inner
    match node:
        case (
            ast.ListComp(elt=ast.Name(id=name), generators=[part])
            | ast.GeneratorExp(elt=ast.Name(id=name), generators=[part])
        ):
            match part:
                case ast.comprehension(
                    target=ast.Name(id=each), ifs=[ast.Compare(left=ast.Name(id=asked), ops=[ast.In()])]
                ) if name == each == asked:
                    return part.iter
    return None


def _names(program: Program, node: ast.expr | None, scope: Scope) -> list[Json] | None:
    value = constant(program, node, scope)
    return value if isinstance(value, list) else None


def _asks_a_model(function: ast.AST) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == "_meta" for part in ast.walk(function))
