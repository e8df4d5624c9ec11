"""Of which model the rows of a view of the REST framework are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from ingest.web.django.models import DjangoModels
from ingest.web.django.tables import ModelClass
from ingest.web.drf.views import Policies, View
from ingest.web.program.functions import returned
from ingest.web.program.nulls import is_none, stands_for_none
from ingest.web.program.targets import ClassTarget, FunctionTarget, ValueTarget
from ingest.web.syntax.naming import is_self

_ROWS: Final = "get_queryset"
_PRETENDED: Final = "swagger_fake_view"
"""The attribute by which a view knows that somebody writes a contract of it, so that it need not ask the request."""
_STATED: Final = frozenset({"queryset", "model", "action", "serializer_class", "get_queryset"})


class RowReader:
    """Reads what the views of one program look their rows up in."""

    def __init__(self, policies: Policies, tables: DjangoModels) -> None:
        self.policies = policies
        self.program = policies.program
        self.tables = tables

    def model(self, view: View, asked: bool = True) -> ModelClass | None:
        """The model of a view's rows; without `asked` only where the request does not decide which they are, so that
        what writes contracts comes to know it too."""
        queryset = self.policies.member(view, "queryset")
        if queryset is not None and not stands_for_none(queryset):
            if not isinstance(queryset, ValueTarget):
                return None
            return self.tables.model_of_queryset(queryset.node, queryset.scope)
        if not isinstance(self.policies.member(view, _ROWS), FunctionTarget):
            return None
        methods = list(self._methods(view))
        if not asked and any(map(_asks, methods)):
            return None
        given = [each for method in methods for each in returned(method) if not is_none(each[0])]
        models = [self.tables.model_of_queryset(*each) for each in given if not _is_above(each[0])]
        return models[0] if models and all(each == models[0] for each in models) else None

    def _methods(self, view: View) -> Iterator[FunctionTarget]:
        """The methods of a view that give its rows: its own, and the one above for as long as it asks that."""
        for base in self.program.ancestry(view.target) if view.target is not None else []:
            if not isinstance(base, ClassTarget) or _ROWS not in base.body.bindings:
                continue
            method = self.program.class_member(base, _ROWS)
            if not isinstance(method, FunctionTarget):
                return
            yield method
            if not any(_is_above(part) for part in ast.walk(method.node)):
                return


def _is_above(node: ast.AST) -> bool:
    """Whether rows are those of the classes above, or made of them: `super().get_queryset().filter(…)`."""
    while isinstance(node, ast.Call | ast.Attribute):
        match node:
            case ast.Call(func=ast.Attribute(attr="get_queryset", value=ast.Call(func=ast.Name(id="super")))):
                return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return False


def _asks(method: FunctionTarget) -> bool:
    """Whether a method asks the request, or the path, for what its rows are."""
    parts = [part for part in ast.walk(method.node) if isinstance(part, ast.Attribute | ast.Constant)]
    names = {part.attr if isinstance(part, ast.Attribute) else part.value for part in parts}
    if _PRETENDED in names:
        return False
    own = {part.attr for part in parts if isinstance(part, ast.Attribute) and is_self(part.value)}
    # What the view keeps of its own was made of the request before.
    return bool(own - _STATED) or "kwargs" in names or "request" in names
