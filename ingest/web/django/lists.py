"""What the statements of a module or function make of a list that is bound to a name, such as `urlpatterns`."""

from __future__ import annotations

import ast

from ingest.web.program.program import Program
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import own_statements
from ingest.web.values.rounds import rounds


def assembled(name: str, scope: Scope) -> list[tuple[ast.expr, bool]]:
    """What a list that is bound to a name is made of, and whether each part is there in every run."""
    found: list[tuple[ast.expr, bool]] = []
    body = scope.node.body
    if not isinstance(body, list):
        return []
    for statement in own_statements(body):
        if isinstance(statement, Function | ast.ClassDef):
            continue
        certain = statement in body
        match statement:
            case ast.Assign(targets=[ast.Name(id=bound)], value=value) if bound == name:
                if certain and not any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value)):
                    found.clear()
                if certain or not _wraps(value, name):
                    found.append((value, certain))
            case ast.AnnAssign(target=ast.Name(id=bound), value=ast.expr() as value) if bound == name:
                found.append((value, certain))
            case ast.AugAssign(target=ast.Name(id=bound), value=value) if bound == name:
                found.append((value, certain))
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=bound), attr=verb), args=[*args])
            ):
                if bound == name and args and verb in ("append", "extend", "insert"):
                    last = args[-1]
                    listed = last if verb == "extend" else ast.List(elts=[last], ctx=ast.Load())
                    found.append((ast.copy_location(listed, last), certain))
    return found


def _wraps(value: ast.expr, name: str) -> bool:
    """Whether a list includes the one that had its name before, as where a condition puts all below a prefix."""
    return any(
        isinstance(part, ast.Call)
        and getattr(part.func, "id", "") == "include"
        and any(isinstance(argument, ast.Name) and argument.id == name for argument in part.args)
        for part in ast.walk(value)
    )


def is_named(node: ast.expr | None) -> bool:
    """Whether a value is a list of patterns with the name of its application: `(patterns, "name")`."""
    if not isinstance(node, ast.Tuple) or len(node.elts) != 2:
        return False
    return isinstance(node.elts[1], ast.Constant)


def each_round(program: Program, node: ast.expr, scope: Scope) -> list[Scope]:
    """The scope as each round of the loops around a part of a list sees it; the scope alone where there is none."""
    call = next((part for part in ast.walk(node) if isinstance(part, ast.Call) and scope.loops(part)), None)
    return rounds(program, call, scope) if call is not None else [scope]
