"""Calls whose `**options` are a dictionary of the source, or of a function of the project, written out."""

from __future__ import annotations

import ast

from ingest.web.constants.constants import Constant, constant, entries
from ingest.web.program.calls import given_for, only_result
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget, ParameterTarget, ValueTarget
from ingest.web.syntax.naming import name_at
from ingest.web.syntax.scopes import Scope


def spelled_out(program: Program, call: ast.Call, scope: Scope) -> ast.Call | None:
    """The call with its options by name, of which only constants are known; None where it passes on unseen ones."""
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    if all(keyword.arg is not None for keyword in call.keywords):
        return call
    keywords = [keyword for keyword in call.keywords if keyword.arg is not None]
    for keyword in call.keywords:
        found = None if keyword.arg is not None else _options(program, keyword.value, scope)
        if keyword.arg is None and found is None:
            return None
        for name, value in (found or {}).items():
            shown = ast.Constant(value) if isinstance(value, str | int) else name_at("", call)
            keywords.append(ast.keyword(name, ast.copy_location(shown, call)))
    return ast.copy_location(ast.Call(call.func, call.args, keywords), call)


def _options(program: Program, node: ast.expr, scope: Scope) -> dict[str, Constant] | None:
    """The options of a dictionary by their names; those that are not constant are missing."""
    written = entries(program, node, scope)
    if written is not None:
        return _named(program, [(key, value, inner) for key, value, inner in written])
    target = program.resolve(node, scope)
    made = target.node if isinstance(target, ValueTarget) else None
    if not isinstance(target, ValueTarget) or not isinstance(made, ast.Call):
        return None
    called = program.resolve(made.func, target.scope)
    result = only_result(called) if isinstance(called, FunctionTarget) else None
    if not isinstance(called, FunctionTarget) or not isinstance(result, ast.Dict):
        return None
    rows: list[tuple[ast.expr, ast.expr | None, Scope]] = []
    for key, value in zip(result.keys, result.values, strict=True):
        if key is None:
            return None
        taken = program.resolve(value, called.body)
        if isinstance(taken, ParameterTarget) and taken.scope is called.body:
            rows.append((key, *given_for(taken, called, made, target.scope)))
        else:
            rows.append((key, value, called.body))
    return _named(program, rows)


def _named(
    program: Program, rows: list[tuple[ast.expr, ast.expr | None, Scope]]
) -> dict[str, Constant] | None:
    found: dict[str, Constant] = {}
    for key, value, scope in rows:
        name = constant(program, key, scope)
        if not isinstance(name, str):
            return None
        found[name] = constant(program, value, scope)
    return found
