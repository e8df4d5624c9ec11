"""Fields of marshmallow's schemas that stand for the relationships of SQLAlchemy's models."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ingest.web.constants.constants import text_of
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope


def relationships_of(program: Program, model: ClassTarget) -> Iterator[tuple[str, ast.Call]]:
    """The relationships that a model declares or inherits, and those that models beside it give it as a `backref`."""
    for owner in program.ancestry(model):
        if isinstance(owner, ClassTarget):
            yield from _declared(owner)
    for node in model.scope.node.body if isinstance(model.scope.node, ast.Module) else ():
        beside = ClassTarget(node, model.scope) if isinstance(node, ast.ClassDef) else None
        for _, call in _declared(beside) if beside is not None else ():
            back = text_of(program, _back(call), model.scope)
            if back is not None and _leads_to(program, call, model, model.scope):
                yield back, call


def _declared(owner: ClassTarget) -> Iterator[tuple[str, ast.Call]]:
    for name, bindings in owner.body.bindings.items():
        value = bindings[-1].value
        if isinstance(value, ast.Call) and last_name(value.func) == "relationship":
            yield name, value


def _back(call: ast.Call) -> ast.expr | None:
    """The name of a `backref`, also of one with options of its own: `backref=backref("owner", lazy=True)`."""
    found = argument(call, None, "backref")
    return found.args[0] if isinstance(found, ast.Call) and found.args else found


def _leads_to(program: Program, call: ast.Call, model: ClassTarget, scope: Scope) -> bool:
    first = argument(call, 0, "argument")
    if isinstance(first, ast.Constant):
        return str(first.value).rpartition(".")[2] == model.node.name
    found = program.resolve(first, scope) if first is not None else None
    return isinstance(found, ClassTarget) and found.node is model.node
