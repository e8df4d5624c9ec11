"""Which serializer a view uses for an action, and what a handler passes to serializers itself."""

from __future__ import annotations

import ast
from typing import Final

from graph.schema_algebra import Schema, unknown
from ingest.web.bindings import Function
from ingest.web.calls import argument
from ingest.web.constants import Missing, constant, entries, text_of
from ingest.web.drf_lists import Listing
from ingest.web.drf_serializers import SerializerModels
from ingest.web.drf_views import Policies, View
from ingest.web.program import Program
from ingest.web.scopes import Scope
from ingest.web.targets import ClassTarget, FunctionTarget, ValueTarget

_STANDARD: Final = frozenset({"create", "list", "retrieve", "update", "partial_update", "destroy"})


class SerializerChoice:
    """Chooses serializers for the views of one program."""

    def __init__(self, program: Program, policies: Policies, models: SerializerModels) -> None:
        self.program = program
        self.policies = policies
        self.models = models

    def of(self, view: View, action: str, method: str) -> Schema | None:
        """The schema of the serializer that a view uses; None where it has none."""
        if self.policies.member(view, "get_serializer") is not None:
            return unknown("the view makes its serializers itself")
        chooser = self.policies.member(view, "get_serializer_class")
        if isinstance(chooser, FunctionTarget) and isinstance(chooser.node, Function):
            found = self._run(chooser.node.body, chooser, view, action, method)
            return found or unknown("which serializer is used depends on the request")
        return self._stated(view)

    def _stated(self, view: View) -> Schema | None:
        target = self.policies.member(view, "serializer_class")
        if target is None:
            return None
        if isinstance(target, ClassTarget) and self.models.is_serializer(target):
            return self.models.reference(target)
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Constant):
            return None
        return unknown("the serializer is not known")

    def _run(
        self, body: list[ast.stmt], chooser: FunctionTarget, view: View, action: str, method: str
    ) -> Schema | None:
        """What `get_serializer_class` gives where only the action and the method decide."""
        for statement in body:
            match statement:
                case ast.Expr(value=ast.Constant()):
                    continue
                case ast.Return(value=ast.expr() as value):
                    return self._returned(value, chooser, view, action)
                case ast.If():
                    held = holds(self.program, statement.test, chooser.body, action, method)
                    if held is None:
                        return None
                    found = self._run(
                        statement.body if held else statement.orelse, chooser, view, action, method
                    )
                    if found is not None:
                        return found
                case _:
                    return None
        return None

    def _returned(self, node: ast.expr, chooser: FunctionTarget, view: View, action: str) -> Schema | None:
        if isinstance(node, ast.Attribute) and _is_self(node.value):
            return self._stated(view) if node.attr == "serializer_class" else self._member(node.attr, view)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "get_serializer_class":
                return self._stated(view)
            if node.func.attr == "get" and node.args:
                return self._looked_up(node, chooser, view, action)
        target = self.program.resolve(node, chooser.body)
        known = isinstance(target, ClassTarget) and self.models.is_serializer(target)
        return self.models.reference(target) if known and isinstance(target, ClassTarget) else None

    def _member(self, name: str, view: View) -> Schema | None:
        target = self.policies.member(view, name)
        known = isinstance(target, ClassTarget) and self.models.is_serializer(target)
        return self.models.reference(target) if known and isinstance(target, ClassTarget) else None

    def _looked_up(self, node: ast.Call, chooser: FunctionTarget, view: View, action: str) -> Schema | None:
        """What `self.serializers.get(self.action, …)` gives."""
        assert isinstance(node.func, ast.Attribute)
        owner, key = node.func.value, node.args[0]
        if not (isinstance(key, ast.Attribute) and key.attr == "action" and isinstance(owner, ast.Attribute)):
            return None
        table = self.policies.member(view, owner.attr)
        if not isinstance(table, ValueTarget):
            return None
        found = entries(self.program, table.node, table.scope)
        for name, value, scope in found or []:
            if text_of(self.program, name, scope) == action:
                return self.models.of_value(value, scope)
        default = argument(node, 1, "default")
        if found is None or default is None:
            return None
        return self._returned(default, chooser, view, action)

    def given(
        self, node: ast.expr | None, scope: Scope, view: View, action: str, method: str, listing: Listing
    ) -> Schema | None:
        """The schema of data that a handler answers with; None where it cannot be known."""
        match node:
            case ast.Attribute(attr="data", value=inner):
                call = self._call(inner, scope)
                return self._made(call[0], call[1], view, action, method) if call is not None else None
            case ast.Call(func=ast.Attribute(attr="get_paginated_response"), args=[inner, *_]):
                whole = self.given(inner, scope, view, action, method, listing)
                items = whole.get("items") if whole is not None else None
                return listing.answer(items) if isinstance(items, dict) else None
            case ast.Call(func=ast.Attribute(attr=name)) if name in _STANDARD:
                serializer = self.of(view, action, method)
                if serializer is None or name == "destroy":
                    return None
                return listing.answer(serializer) if name == "list" else serializer
            case ast.Name():
                target = self.program.resolve(node, scope)
                if isinstance(target, ValueTarget) and isinstance(target.node, ast.Attribute):
                    return self.given(target.node, target.scope, view, action, method, listing)
        return None

    def taken(self, handler: FunctionTarget, view: View, action: str, method: str) -> Schema | None:
        """The schema of the one serializer that a handler gives the request's data to; None where there is no such."""
        found: list[Schema] = []
        for call in handler.body.calls:
            if _is_super(call) and isinstance(call.func, ast.Attribute) and call.func.attr in _STANDARD:
                schema = self.of(view, action, method)
            elif argument(call, None, "data") is not None and _is_requests(argument(call, None, "data")):
                schema = self._made(call, handler.body, view, action, method)
            else:
                continue
            if schema is not None and schema not in found:
                found.append(schema)
        return found[0] if len(found) == 1 else None

    def _call(self, node: ast.expr, scope: Scope) -> tuple[ast.Call, Scope] | None:
        target = self.program.resolve(node, scope)
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Call):
            return target.node, target.scope
        return None

    def _made(self, call: ast.Call, scope: Scope, view: View, action: str, method: str) -> Schema | None:
        """The schema of a serializer that is made by a call."""
        target = self.program.resolve(call.func, scope)
        if isinstance(target, ClassTarget) and self.models.is_serializer(target):
            schema: Schema | None = self.models.reference(target)
        elif isinstance(call.func, ast.Attribute) and call.func.attr in (
            "get_serializer",
            "serializer_class",
        ):
            schema = self.of(view, action, method) if _is_self(call.func.value) else None
        else:
            return None
        if schema is None:
            return None
        partial = argument(call, None, "partial")
        loose = constant(self.program, partial, scope) if partial is not None else False
        if loose is True:
            schema = self.models.partial(schema)
        elif isinstance(loose, Missing):
            return None
        return self.models.listed(schema, call, scope)


def holds(program: Program, test: ast.expr, scope: Scope, action: str, method: str) -> bool | None:
    """Whether a condition on the action or the method holds; None where it depends on more."""
    match test:
        case ast.BoolOp(op=op, values=values):
            parts = [holds(program, value, scope, action, method) for value in values]
            wanted = isinstance(op, ast.Or)
            if wanted in parts:
                return wanted
            return None if None in parts else not wanted
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            held = holds(program, inner, scope, action, method)
            return None if held is None else not held
        case ast.Compare(left=ast.Attribute(attr="action" | "method" as name), ops=[op], comparators=[right]):
            value = action if name == "action" else method
            other = constant(program, right, scope)
            if isinstance(op, ast.Eq | ast.NotEq) and isinstance(other, str):
                return (value == other) == isinstance(op, ast.Eq)
            if isinstance(op, ast.In | ast.NotIn) and isinstance(other, list):
                return (value in other) == isinstance(op, ast.In)
    return None


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _is_super(call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super"))):
            return True
    return False


def _is_requests(node: ast.expr | None) -> bool:
    """Whether an expression is the body of the request."""
    return isinstance(node, ast.Attribute) and node.attr in ("data", "POST", "body")
