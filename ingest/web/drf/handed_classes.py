"""The methods of its view that a handler leaves the request to, or a class of serializers of which they make one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

import msgspec

from ingest.web.drf.views import Policies, View
from ingest.web.program.calls import argument, named_arguments
from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import is_self
from ingest.web.syntax.scopes import Scope

ACTIONS: Final = frozenset({"create", "list", "retrieve", "update", "partial_update", "destroy"})
"""The framework's own actions, which make serializers themselves."""
_DEPTH: Final = 2


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
            if kind is not None and _is_sent(argument(inner, None, "data"), given):
                yield Handed(inner, _before(kind, call, handler.body), handler.body, method.body)


def passed_on(
    policies: Policies, view: View, handler: FunctionTarget, depth: int = 0
) -> Iterator[FunctionTarget]:
    """The methods of a view that its handler hands the request to, and those that these do: `self.answer(request)`."""
    for call in handler.body.calls:
        if (
            not isinstance(call.func, ast.Attribute)
            or not is_self(call.func.value)
            or call.func.attr in ACTIONS
        ):
            continue
        if not any(isinstance(each, ast.Name) and each.id == "request" for each in call.args):
            continue
        method = policies.member(view, call.func.attr)
        if isinstance(method, FunctionTarget) and method.node is not handler.node:
            yield method
            if depth < _DEPTH:
                yield from passed_on(policies, view, method, depth + 1)


def _given(method: FunctionTarget, call: ast.Call) -> dict[str, ast.expr]:
    """What a call of a method gives for each parameter that keeps its value."""
    bindings = method.body.bindings
    return {name: value for name, value in named_arguments(call, method) if len(bindings.get(name, ())) < 2}


def _is_sent(data: ast.expr | None, given: dict[str, ast.expr]) -> bool:
    """Whether data is the body of the request, be it unless a call gives another: `data or self.request.data`."""
    match data:
        case ast.IfExp(body=first, orelse=second) | ast.BoolOp(op=ast.Or(), values=[first, second]):
            parts = [each for each in (first, second) if not isinstance(each, ast.Name) or each.id in given]
            return bool(parts) and all(_is_sent(each, given) for each in parts)
        case ast.Name(id=name):
            return is_requests(given.get(name))
    return is_requests(data)


def _before(node: ast.expr, call: ast.Call, scope: Scope) -> ast.expr:
    """What a name has been given once, before a call."""
    bound = scope.bindings.get(node.id, []) if isinstance(node, ast.Name) else []
    earlier = [each.value for each in bound if each.line < call.lineno]
    value = earlier[0] if len(earlier) == 1 else None
    return value if isinstance(value, ast.expr) else node


def is_requests(node: ast.expr | None) -> bool:
    """Whether an expression is the body of the request."""
    return isinstance(node, ast.Attribute) and node.attr in ("data", "POST", "body")
