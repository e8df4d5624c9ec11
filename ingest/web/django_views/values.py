"""The JSON that plain Django views make of the rows of their models."""

from __future__ import annotations

import ast
from typing import Final

from graph.schema_algebra import Schema, unknown
from graph.schemas import normalise
from ingest.web.answers.json_values import JsonValues
from ingest.web.constants.constants import text_of
from ingest.web.django.columns import RELATIONS, with_null
from ingest.web.django.tables import Column, ModelClass
from ingest.web.program.calls import is_static
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.serializers.serializers import SerializerModels
from ingest.web.syntax.bindings import Bound, parameters
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

_ONE: Final = frozenset({"get", "first", "last", "create", "latest", "earliest"})
_MANY: Final = frozenset(
    {"all", "filter", "exclude", "order_by", "select_related", "prefetch_related", "distinct", "reverse"}
    | {"using", "only", "defer", "iterator", "none"}
)
_MANAGERS: Final = frozenset({"objects", "_default_manager"})
_FOUND: Final = frozenset({"get_object_or_404", "aget_object_or_404"})
_TOLD: Final[dict[str, Schema]] = {
    "count": {"type": "integer"},
    "acount": {"type": "integer"},
    "exists": {"type": "boolean"},
    "aexists": {"type": "boolean"},
}
_FORMS: Final = frozenset({"uuid", "date", "date-time"})
_DEPTH: Final = 10


class ViewValues(JsonValues):
    """Works out such values; `held` are the models of arguments, by function and name."""

    def __init__(self, program: Program, instances: Instances, models: SerializerModels) -> None:
        super().__init__(program, instances, models)
        self.tables = models.tables
        self.held: dict[tuple[ast.AST, str], ModelClass] = {}

    def row(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> ModelClass | None:
        """The model of which an expression is a row."""
        if node is None or depth > _DEPTH:
            return None
        match node:
            case ast.Await(value=inner):
                return self.row(inner, scope, depth + 1)
            case ast.Name(id=name):
                for known, rounds, inside in reversed(self.stores.rounds):
                    if known == name:
                        return self.rows(rounds, inside, depth + 1)
                if (scope.node, name) in self.held:
                    return self.held[scope.node, name]
                return self._agreed(node, scope, depth, many=False)
            case ast.Call(func=ast.Attribute(attr=name, value=owner)) if name.removeprefix("a") in _ONE:
                return self.rows(owner, scope, depth + 1)
            case ast.Call(func=function, args=[first, *_]):
                target = self.program.resolve(function, scope)
                if isinstance(target, External) and target.root == "django" and target.name in _FOUND:
                    return self.tables.model(first, scope) or self.rows(first, scope, depth + 1)
        made = self.program.resolve(node.func, scope) if isinstance(node, ast.Call) else None
        return made if isinstance(made, ClassTarget) and self.tables.is_model(made) else None

    def rows(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> ModelClass | None:
        """The model of whose rows an expression is a set."""
        if node is None or depth > _DEPTH:
            return None
        match node:
            case ast.Name():
                return self._agreed(node, scope, depth, many=True)
            case ast.Attribute(attr=name, value=owner) if name in _MANAGERS:
                return self.tables.model(owner, scope)
            case ast.Subscript(value=owner, slice=ast.Slice()):
                return self.rows(owner, scope, depth + 1)
            case ast.Call(func=ast.Attribute(attr=name, value=owner)) if name in _MANY:
                return self.rows(owner, scope, depth + 1)
        return None

    def _agreed(self, node: ast.Name, scope: Scope, depth: int, many: bool) -> ModelClass | None:
        """What all values of a variable are; those that are made of itself add nothing."""
        bindings = scope.bindings.get(node.id, [])
        if not bindings or any(each.how is not Bound.VALUE or each.value is None for each in bindings):
            return None
        found = []
        for each in bindings:
            own = {part.id for part in ast.walk(each.value or node) if isinstance(part, ast.Name)}
            if node.id not in own:
                found.append((self.rows if many else self.row)(each.value, scope, depth + 1))
        return found[0] if found and all(each == found[0] for each in found) else None

    def _attribute(self, node: ast.Attribute, scope: Scope, depth: int) -> Schema:
        model = self.row(node.value, scope)
        if model is not None:
            return self._column(model, node.attr)
        return super()._attribute(node, scope, depth)

    def _column(self, model: ModelClass, name: str) -> Schema:
        """What a column of a row is as JSON."""
        table = self.tables.table(model)
        column = table.columns.get(name)
        if column is None and name in ("id", "pk") and table.complete:
            return _plain(self.tables.key(model))
        relation = table.columns.get(name.removesuffix("_id")) if name.endswith("_id") else None
        if column is None and relation is not None and relation.kind in RELATIONS:
            return self._with_null(relation, _plain(self.tables.value(relation)))
        if column is None or column.kind in RELATIONS or column.kind in ("FileField", "ImageField"):
            return unknown("the value is worked out by hand")
        return self._with_null(column, _plain(self.tables.value(column)))

    def _with_null(self, column: Column, schema: Schema) -> Schema:
        return with_null(schema) if self.tables.flag(column, "null") else schema

    def _call(self, node: ast.Call, scope: Scope, depth: int) -> Schema:
        function = node.func
        if isinstance(function, ast.Attribute):
            if function.attr in _TOLD and self.rows(function.value, scope) is not None:
                return dict(_TOLD[function.attr])
            model = self.row(function.value, scope)
            own = self.program.class_member(model, function.attr) if isinstance(model, ClassTarget) else None
            if isinstance(own, FunctionTarget) and model is not None:
                return self._with(own, {0: model}, depth)
            column = function.value if function.attr == "isoformat" else None
            if isinstance(column, ast.Attribute) and self.row(column.value, scope) is not None:
                return self.schema(column, scope, depth + 1)
        target = self.instances.callee(function, scope)
        if isinstance(target, External) and target.root == "builtins" and len(node.args) == 1:
            inner = self.schema(node.args[0], scope, depth + 1) if target.name == "str" else {}
            if inner.get("format") == "uuid" and inner.get("type") == "string":
                return inner
            if target.name == "list":
                return self._listed(node.args[0], scope) or super()._call(node, scope, depth)
        if isinstance(target, FunctionTarget):
            given = {index: self.row(each, scope) for index, each in enumerate(node.args)}
            first = 1 if target.scope.is_class and not is_static(target) else 0
            known = {index + first: model for index, model in given.items() if model is not None}
            if known:
                return self._with(target, known, depth)
        return super()._call(node, scope, depth)

    def _listed(self, node: ast.expr, scope: Scope) -> Schema | None:
        """The list of `rows.values("name", …)`."""
        match node:
            case ast.Call(func=ast.Attribute(attr="values", value=owner), args=names, keywords=[]):
                model = self.rows(owner, scope)
                words = [text_of(self.program, each, scope) for each in names]
                if model is None or not words or not all(word and word.isidentifier() for word in words):
                    return None
                properties = {str(word): self._column(model, str(word)) for word in words}
                made = {"type": "object", "properties": properties, "required": sorted(properties)}
                return normalise({"type": "array", "items": {**made, "x-complete": True}})
        return None

    def _with(self, target: FunctionTarget, given: dict[int, ModelClass], depth: int) -> Schema:
        """What a function gives whose arguments are rows."""
        names = [each.arg for each, _ in parameters(target.node)]
        before = self.held
        self.held = dict(before)
        for index, model in given.items():
            if index < len(names):
                self.held[target.node, names[index]] = model
        try:
            return self.functions.returned(target, depth)
        finally:
            self.held = before


def _plain(schema: Schema) -> Schema:
    """A column's schema without the limits of what may be stored."""
    kind = schema.get("type")
    if "x-unknown" in schema or not isinstance(kind, str):
        return unknown("the value is worked out by hand")
    return {"type": kind, **({"format": schema["format"]} if schema.get("format") in _FORMS else {})}
