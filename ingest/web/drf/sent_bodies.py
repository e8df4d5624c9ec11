"""Bodies that handlers of the REST framework read by hand, key by key: `request.data.get("email")`."""

from __future__ import annotations

import ast

from graph.schema_algebra import Schema, implied, unknown
from ingest.web.constants.constants import text_of
from ingest.web.drf.stubs import reads_body
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of


def read_by_keys(program: Program, handler: FunctionTarget) -> Schema | None:
    """The object of which a handler reads nothing but these fields, each of a form that is not known; None where it
    may read others."""
    parts = nodes_of(handler.node)
    reads = [part for part in parts if reads_body(part)]
    held = _held(handler)
    names: list[str] = []
    understood: set[int] = set()
    for part in parts:
        owner, key = _looked_up(part)
        if owner is None or not (reads_body(owner) or getattr(owner, "id", "") in held):
            continue
        name = text_of(program, key, handler.body)
        if name is None:
            return None
        names.append(name)
        understood.add(id(owner))
    understood |= {id(value) for value in held.values()}
    used = [part for part in parts if isinstance(part, ast.Name) and part.id in held]
    used = [part for part in used if isinstance(part.ctx, ast.Load)]
    if not names or any(id(part) not in understood for part in (*reads, *used)):
        return None
    open_ = implied(unknown("the handler reads the value by hand"), "required")
    fields = {name: dict(open_) for name in dict.fromkeys(names)}
    return {"type": "object", "properties": fields, "x-complete": True}


def _held(handler: FunctionTarget) -> dict[str, ast.expr]:
    """The variables that hold the whole body and nothing else: `data = request.data`."""
    scope: Scope = handler.body
    found = {}
    for name, bindings in scope.bindings.items():
        value = bindings[0].value if len(bindings) == 1 else None
        if isinstance(value, ast.expr) and reads_body(value):
            found[name] = value
    return found


def _looked_up(part: ast.AST) -> tuple[ast.expr | None, ast.expr]:
    """What is asked for one of its values, and by which key."""
    match part:
        case ast.Subscript(value=owner, slice=key, ctx=ast.Load()):
            return owner, key
        case ast.Call(func=ast.Attribute(value=owner, attr="get" | "getlist"), args=[key, *_]):
            return owner, key
        case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[owner]):
            return owner, key
    return None, ast.Constant(value=None)
