"""Serializers whose class a handler hands to a method of its view, which makes one of the request's data."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ingest.web.drf.views import Policies, View
from ingest.web.program.calls import argument, named_arguments
from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import is_self
from ingest.web.syntax.scopes import Scope


class Handed(msgspec.Struct, frozen=True):
    """A serializer that a method makes: `call` makes it in the scope `within`, of the class that `node` is in the
    handler's."""

    call: ast.Call
    node: ast.expr
    scope: Scope
    within: Scope


def handed(policies: Policies, view: View, handler: FunctionTarget) -> Iterator[Handed]:
    """The serializers that methods of the view make of the request's data with a class that the handler gives them:
    `self.checked(BookSerializer, request.data)`."""
    for call in handler.body.calls:
        if not isinstance(call.func, ast.Attribute) or not is_self(call.func.value):
            continue
        method = policies.member(view, call.func.attr)
        if not isinstance(method, FunctionTarget) or not isinstance(method.node, Function):
            continue
        given = _given(method, call)
        for inner in method.body.calls:
            kind = given.get(inner.func.id) if isinstance(inner.func, ast.Name) else None
            data = argument(inner, None, "data")
            if isinstance(data, ast.Name):
                data = given.get(data.id)
            if kind is not None and is_requests(data):
                yield Handed(inner, _before(kind, call, handler.body), handler.body, method.body)


def _given(method: FunctionTarget, call: ast.Call) -> dict[str, ast.expr]:
    """What a call of a method gives for each parameter that keeps its value."""
    bindings = method.body.bindings
    return {name: value for name, value in named_arguments(call, method) if len(bindings.get(name, ())) < 2}


def _before(node: ast.expr, call: ast.Call, scope: Scope) -> ast.expr:
    """What a name has been given once, before a call."""
    bound = scope.bindings.get(node.id, []) if isinstance(node, ast.Name) else []
    earlier = [each.value for each in bound if each.line < call.lineno]
    value = earlier[0] if len(earlier) == 1 else None
    return value if isinstance(value, ast.expr) else node


def is_requests(node: ast.expr | None) -> bool:
    """Whether an expression is the body of the request."""
    return isinstance(node, ast.Attribute) and node.attr in ("data", "POST", "body")
