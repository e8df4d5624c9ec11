"""What objects are given to hold, when they are made (`Section(books.router, "/books").router`) or later."""

from __future__ import annotations

import ast
from functools import partial

from ingest.web.constants.configured import Configured, attribute_of, configured
from ingest.web.constants.constants import constant
from ingest.web.program.functions import assigned_in, own_statements
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.project_calls import Placed, calls_of, has_heirs
from ingest.web.program.targets import ClassTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope


def held_values(program: Program, node: ast.Attribute, scope: Scope, owner: ClassTarget) -> list[Placed]:
    """The expressions that the call which makes an object of a class gives it for an attribute; of an object that is
    not known, those of all calls of a class without heirs. None where it makes what it holds by itself."""
    read = partial(constant, program)
    if (made := configured(program, node.value, scope, read)) is not None:
        known = [made]
    elif has_heirs(program, owner):
        return []
    else:
        known = [Configured(owner, call, inner) for call, inner in calls_of(program, owner)]
    held = [(each, attribute_of(program, each, node.attr, read)) for each in known]
    return [
        placed
        for each, placed in held
        if placed is not None and (placed[1] is each.scope or not isinstance(placed[0], ast.Call))
    ]


def set_later(program: Program, owner: ClassTarget, name: str) -> Placed | None:
    """The only expression but None that methods of a class assign to an attribute: `self.app = app` in `init_app`."""
    values = [
        (value, scope)
        for base in program.ancestry(owner)
        if isinstance(base, ClassTarget)
        for _, value, scope in assigned_in(base).get(name, ())
        if value is not None and not is_none(value)
    ]
    return values[0] if len(values) == 1 else None


def set_here(node: ast.Attribute, scope: Scope) -> Placed | None:
    """The only expression that the function around assigns to an attribute itself: `state.app = FastAPI()`."""
    told = ast.dump(node.value)
    body = scope.node.body if isinstance(scope.node, Function) else []
    values = [
        statement.value
        for statement in own_statements(body)
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Attribute) and target.attr == node.attr and ast.dump(target.value) == told
    ]
    return (values[0], scope) if len(values) == 1 else None
