"""Of which model of Django's the rows are that an expression asks a database for."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final, TypeAlias

from ingest.web.django.tables import ModelClass
from ingest.web.program.functions import returned
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, ValueTarget
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.scopes import Scope

_DEPTH: Final = 10
_MANAGERS: Final = frozenset({"objects", "_default_manager", "_base_manager"})
Named: TypeAlias = Callable[[ast.expr, Scope], "ModelClass | None"]
"""The model that an expression names."""


class Querysets:
    """Follows the querysets of one program; `named` tells which model an expression names."""

    def __init__(self, program: Program, named: Named) -> None:
        self._program = program
        self._named = named

    def model(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> ModelClass | None:
        """The model behind `Model.objects.filter(…)`, also where a variable or a function stands for the rows."""
        if node is None or depth > _DEPTH:
            return None
        target = self._program.resolve(node, scope)
        if isinstance(target, ValueTarget) and target.node is not None:
            node, scope = target.node, target.scope
        if isinstance(node, ast.IfExp):
            return self._agreed([(node.body, scope), (node.orelse, scope)], depth)
        if isinstance(node, ast.BinOp):
            # `own | shared`: what is put together is of one model.
            return self.model(node.left, scope, depth + 1)
        inner: ast.expr = node
        while isinstance(inner, ast.Call | ast.Attribute | ast.Subscript):
            if isinstance(inner, ast.Call):
                made = self._program.resolve(inner.func, scope)
                if isinstance(made, FunctionTarget):
                    return self._agreed(returned(made), depth)
                inner = inner.func
            elif isinstance(inner, ast.Attribute) and inner.attr not in _MANAGERS:
                owner = self._named(inner, scope)
                if isinstance(owner, ClassTarget):
                    return owner
                inner = inner.value
            else:
                inner = inner.value
                owner = self._named(inner, scope)
                if owner is not None:
                    return owner
        return self._of_name(inner, scope, depth) if isinstance(inner, ast.Name) else None

    def _of_name(self, node: ast.Name, scope: Scope, depth: int) -> ModelClass | None:
        found = self._program.resolve(node, scope)
        if isinstance(found, ValueTarget) and found.node is not node:
            return self.model(found.node, found.scope, depth + 1)
        bound = scope.bindings.get(node.id, [])
        if found is None and len(bound) > 1 and all(each.how is Bound.VALUE for each in bound):
            # `rows = Book.objects.all()`, then `rows = rows.filter(…)` where there is a reason.
            values = [each.value for each in bound if each.value is not None]
            begun = [(each, scope) for each in values if not _begins_with(each, node.id)]
            return self._agreed(begun, depth)
        return self._named(node, scope)

    def _agreed(self, values: list[tuple[ast.expr, Scope]], depth: int) -> ModelClass | None:
        """The one model of which all of these are rows, those apart that are none."""
        found = [self.model(node, scope, depth + 1) for node, scope in values if not is_none(node)]
        return found[0] if found and all(each == found[0] for each in found) else None


def label_of(node: ast.expr) -> ast.expr | None:
    """The label by which Django's registry is asked for a model: `apps.get_model(label)`."""
    match node:
        case ast.Call(func=ast.Attribute(attr="get_model") | ast.Name(id="get_model"), args=[label]):
            return label
    return None


def split_label(node: ast.expr, scope: Scope) -> ast.expr | None:
    """The label of which a function makes both names that it asks Django's registry by: `a, b = label.split(".")`."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="get_model") | ast.Name(id="get_model"),
            args=[ast.Name(id=first), ast.Name(id=second)],
        ):
            asked = (first, second)
        case _:
            return None
    for part in ast.walk(scope.node):
        match part:
            case ast.Assign(
                targets=[ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=second)])],
                value=ast.Call(func=ast.Attribute(value=label, attr="split" | "rsplit")),
            ) if (first, second) == asked:
                return label
    return None


def _begins_with(node: ast.expr, name: str) -> bool:
    """Whether rows are made of what had this name: `rows = rows.filter(…)`, `rows = rows | others`."""
    while True:
        match node:
            case ast.Call(func=inner) | ast.Attribute(value=inner) | ast.BinOp(left=inner):
                node = inner
            case ast.Name(id=found):
                return found == name
            case _:
                return False
