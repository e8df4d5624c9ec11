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


def existing(program: Program, target: Target) -> list[Json] | None:
    """The names before they are narrowed: to leave out what a model lacks changes nothing. None for all other lists."""
    call = target.node if isinstance(target, ValueTarget) else None
    if not isinstance(target, ValueTarget) or not isinstance(call, ast.Call):
        return None
    made = program.resolve(call.func, target.scope)
    results = returned(made) if isinstance(made, FunctionTarget) else []
    if not isinstance(made, FunctionTarget) or len(results) != 1 or not _asks_a_model(made.node):
        return None
    match results[0][0]:
        case ast.ListComp() as narrowed:
            pass
        case ast.Call(
            func=ast.Name(id="tuple" | "list"), args=[ast.GeneratorExp() | ast.ListComp() as narrowed]
        ):
            pass
        case _:
            return None
    match narrowed:
        case (
            ast.ListComp(elt=ast.Name(id=name), generators=[part])
            | ast.GeneratorExp(elt=ast.Name(id=name), generators=[part])
        ):
            return _narrowed(program, name, part, made, call, target)
    return None


def _narrowed(
    program: Program,
    name: str,
    part: ast.comprehension,
    made: FunctionTarget,
    call: ast.Call,
    target: ValueTarget,
) -> list[Json] | None:
    """What a call gives for the parameter that `name for name in parameter if name in columns` goes through."""
    match part:
        case ast.comprehension(
            target=ast.Name(id=each),
            iter=ast.Name() as listed,
            ifs=[ast.Compare(left=ast.Name(id=asked), ops=[ast.In()])],
        ) if name == each == asked:
            parameter = program.resolve(listed, made.body)
            if isinstance(parameter, ParameterTarget):
                node, scope = given_for(parameter, made, call, target.scope)
                value = constant(program, node, scope)
                return value if isinstance(value, list) else None
    return None


def _asks_a_model(function: ast.AST) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == "_meta" for part in ast.walk(function))
