"""What attributes of plain objects hold, as JSON: what `__init__` puts there, by the call that makes one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graph.schema_algebra import Schema
from graph.schema_types import types_of
from graph.schemas import is_unknown
from ingest.web.answers.json_classes import plain_schema
from ingest.web.answers.stores import Stores
from ingest.web.program.calls import has_stars
from ingest.web.program.functions import own_statements
from ingest.web.program.methods import calls_above, next_above
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    ParameterTarget,
    Target,
    ValueTarget,
)
from ingest.web.schemas.json_results import Schemas, agreed, unshown
from ingest.web.schemas.models import Models
from ingest.web.schemas.sqlalchemy_columns import column_schema, is_column
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import name_at
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotated_values import AnnotatedValues
from ingest.web.values.annotations import shape_of
from ingest.web.values.kept_places import Placed, near
from ingest.web.values.presence import left_before

_DEPTH = 8
_TOLD: dict[str, Schema] = {
    "description": {"type": "string"},
    "name": {"type": "string"},
    "code": {"type": "integer"},
}


class PlainObjects:
    """Works out attributes of instances of the project's classes; `schema` gives the form of what is put there."""

    def __init__(self, stores: Stores, models: Models, annotated: AnnotatedValues, schema: Schemas) -> None:
        self._stores = stores
        self._instances = stores.instances
        self._program: Program = stores.program
        self._models = models
        self._annotated = annotated
        self._schema = schema

    def attribute(self, owner: ClassTarget, node: ast.Attribute, scope: Scope, depth: int) -> Schema | None:
        """The form of `object.name`; None where it is not known, or where other code may put something else there."""
        found = self._instances.attribute(owner, node.attr)
        if isinstance(found, ValueTarget):
            column = column_schema(self._instances, found.node, found.scope)
            if column is not None or is_column(self._instances, found.node, found.scope):
                said = plain_schema(self._models, self._said(found)) if column is None else None
                return column or said
        own = self._own(owner, found, node, scope, depth)
        if own is None or is_unknown(own) or own == {"type": "null"}:
            return None
        for placed in self._later(owner, node.attr):
            later = self._schema(*placed, depth + 1)
            whole = agreed(own, later)
            if is_unknown(whole):
                return None
            if "null" in types_of(whole) - types_of(own) and (given := self._given(*placed)) is not None:
                if not left_before(*given):
                    return None
                continue
            own = unshown(whole)
        return own

    def _given(
        self, node: ast.expr, scope: Scope
    ) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, str, int] | None:
        """The method of which an expression is a parameter, with its name and the line; None for any other."""
        target = self._program.resolve(node, scope) if isinstance(node, ast.Name) else None
        if not isinstance(node, ast.Name) or not isinstance(target, ParameterTarget):
            return None
        return (scope.node, node.id, node.lineno) if isinstance(scope.node, Function) else None

    def _said(self, found: ValueTarget) -> Shape:
        """What the annotation of a column says that it holds."""
        return shape_of(self._program, found.annotation, found.scope)

    def of_exception(self, node: ast.Attribute, scope: Scope) -> Schema | None:
        """What an HTTP exception that the handler which is being read was given tells of itself."""
        target = self._program.resolve(node.value, scope)
        if node.attr not in _TOLD or not isinstance(target, ParameterTarget):
            return None
        given = self._stores.argument(target.name, target.scope)
        made = (
            self._instances.callee(given[0].func, given[1])
            if given and isinstance(given[0], ast.Call)
            else None
        )
        known = isinstance(made, External) and made.root in ("flask", "werkzeug")
        return dict(_TOLD[node.attr]) if known else None

    def _own(
        self, owner: ClassTarget, found: object, node: ast.Attribute, scope: Scope, depth: int
    ) -> Schema | None:
        if isinstance(found, ValueTarget):
            if found.annotation is not None:
                return plain_schema(self._models, shape_of(self._program, found.annotation, found.scope))
            if found.node is None:
                return None
            return self._with_making(owner, node.value, scope, found.node, found.scope, depth)
        if isinstance(found, ParameterTarget):
            name = name_at(found.name, node)
            if found.annotation is not None:
                shape = shape_of(self._program, found.annotation, found.scope.parent or found.scope)
                null = is_none(found.default)
                later = getattr(found.scope.node, "name", "") != "__init__"
                if (null and shape.kind is not ShapeKind.UNION) or (later and shape.nullable):
                    # Of a parameter that is None where nothing is meant, a method seldom keeps that.
                    return None
                said = plain_schema(self._models, shape)
                if said is None or said.get("type") != "string":
                    return said
                made = self._with_making(owner, node.value, scope, name, found.scope, depth)
                return {**said, "x-shown": made["x-shown"]} if made and "x-shown" in made else said
            return self._with_making(owner, node.value, scope, name, found.scope, depth)
        return None

    def _with_making(
        self, owner: ClassTarget, made: ast.expr, scope: Scope, value: ast.expr, inside: Scope, depth: int
    ) -> Schema | None:
        """The form of what `__init__` assigns, with the arguments of the call that makes the object."""
        making = self._making(made, scope, 0)
        calls = self._inits(making, owner, inside) if making is not None else None
        if calls is None:
            return self._schema(value, inside, depth + 1)
        before = len(self._stores.calls)
        self._stores.calls.extend(calls)
        try:
            return self._schema(value, inside, depth + 1)
        finally:
            del self._stores.calls[before:]

    def _inits(
        self, making: Placed, owner: ClassTarget, inside: Scope
    ) -> list[tuple[FunctionTarget, ast.Call, Scope]] | None:
        """The calls of `__init__` from the class that is made up to the one that assigns; None where one is unknown."""
        call, scope = making
        if not isinstance(call, ast.Call):
            return None
        made = self._instances.callee(call.func, scope)
        above: Target = made if isinstance(made, ClassTarget) else owner
        found: list[tuple[FunctionTarget, ast.Call, Scope]] = []
        while isinstance(above, ClassTarget) and len(found) < _DEPTH and not has_stars(call):
            init = self._program.class_member(above, "__init__")
            if not isinstance(init, FunctionTarget) or not isinstance(init.node, Function):
                return None
            found.append((init, call, scope))
            calls = calls_above(init.node)
            if init.body is inside or len(calls) != 1:
                return found if init.body.node is inside.node else None
            call, scope, above = calls[0], init.body, next_above(self._program, init)
        return None

    def _making(self, node: ast.expr, scope: Scope, depth: int) -> Placed | None:
        """The call that makes the object that an expression stands for, with its scope."""
        if depth > _DEPTH:
            return None
        if isinstance(node, ast.Call):
            made = isinstance(self._instances.callee(node.func, scope), ClassTarget)
            return (node, scope) if made else None
        if not isinstance(node, ast.Name):
            return None
        target = self._program.resolve(node, scope)
        if isinstance(target, ParameterTarget):
            given = self._stores.argument(target.name, target.scope) or self._stores.owner(target)
            return self._making(*given, depth + 1) if given is not None else None
        if isinstance(target, ValueTarget) and target.node is not None and target.node is not node:
            return self._making(target.node, target.scope, depth + 1)
        return None

    def _later(self, owner: ClassTarget, name: str) -> Iterator[Placed]:
        """What is assigned to an attribute of this name outside of the methods of the class."""
        for module in near(self._program, owner.scope.module):
            assigned = self._program.remember(
                ("attributes", module.name),
                lambda module=module: list(_assigned(module.scope)),  # type: ignore[misc]  # mypy cannot type a lambda with a default
            )
            for target, value, scope in assigned:
                if target.attr == name and not self._is_own(target, scope, owner):
                    yield value, scope

    def _is_response(self, node: ast.expr, scope: Scope) -> bool:
        """Whether an expression is what Flask made: `response = jsonify(error.to_dict())`."""
        made = self._program.resolve(node, scope)
        call = made.node if isinstance(made, ValueTarget) else None
        called = (
            self._instances.callee(call.func, made.scope)
            if isinstance(call, ast.Call) and isinstance(made, ValueTarget)
            else None
        )
        return isinstance(called, External) and called.root in ("flask", "werkzeug")

    def _is_own(self, target: ast.Attribute, scope: Scope, owner: ClassTarget) -> bool:
        """Whether this is set by the class itself, or on an object of another class."""
        found = self._instances.of(target.value, scope)
        if not isinstance(found, ClassTarget):
            return self._is_response(target.value, scope)
        if all(
            not isinstance(b, ClassTarget) or b.node is not owner.node for b in self._program.ancestry(found)
        ):
            return True
        node = scope.node
        return isinstance(node, Function) and node.name == "__init__" and scope.parent is not None


def _assigned(root: Scope) -> Iterator[tuple[ast.Attribute, ast.expr, Scope]]:
    for scope in root.descend():
        body = getattr(scope.node, "body", [])
        for statement in own_statements(body if isinstance(body, list) else []):
            if isinstance(statement, ast.Assign):
                yield from (
                    (target, statement.value, scope)
                    for target in statement.targets
                    if isinstance(target, ast.Attribute)
                )
