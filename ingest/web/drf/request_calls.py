"""Calls to which a handler of the REST framework hands its whole request: whether they may read parameters of it."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of

QUERY: Final = frozenset({"query_params", "GET"})
OTHERS: Final = frozenset({"headers", "META", "COOKIES"})
_WHOLE: Final = frozenset({"data", "POST", "FILES", "body", "stream", "_request"})
_PASSED: Final = frozenset({"get_serializer", "paginate_queryset", "get_paginated_response"})
_UNASKING: Final = ("django.contrib.auth.", "django.contrib.messages.", "rest_framework.reverse.", "logging.")
"""Modules whose functions are given requests and read no parameters of them."""
_DEPTH: Final = 3


class RequestCalls:
    """Looks at the calls of one view, which is None for a function."""

    def __init__(self, program: Program, view: ClassTarget | None) -> None:
        self.program = program
        self.view = view

    def reads(self, call: ast.Call, scope: Scope, name: str, depth: int = 0) -> bool:
        """Whether a call hands the request, which has this name, to something that may read parameters of it."""
        given = [(str(place), each) for place, each in enumerate(call.args)]
        given += [(keyword.arg or "", keyword.value) for keyword in call.keywords]
        places = [place for place, each in given if isinstance(each, ast.Name) and each.id == name]
        if not places:
            return False
        match call.func:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super"))):
                return False
            case ast.Attribute(attr=called) if called in _PASSED:
                return False
        target, bound = self._called(call.func, scope)
        if isinstance(target, External):
            return not target.dotted.startswith(_UNASKING)
        if not isinstance(target, FunctionTarget) or depth > _DEPTH:
            return True
        return any(self._asks(target, place, bound, depth) for place in places)

    def _called(self, node: ast.expr, scope: Scope) -> tuple[Target | None, bool]:
        """What is called, and whether it is bound to the view, so that it is given the view first."""
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self.view is not None:
                found = self.program.class_member(self.view, name)
                return (None if _is_decorated(found) else found), True
        return self.program.resolve(node, scope), False

    def _asks(self, function: FunctionTarget, place: str, bound: bool, depth: int) -> bool:
        """Whether a function may read parameters of the request that it is given at a place, or by a name."""
        if not isinstance(function.node, Function):
            return True
        taken = [each.arg for each, _ in parameters(function.node)][int(bound) :]
        name = (taken[int(place)] if int(place) < len(taken) else "") if place.isdigit() else place
        if name not in taken:
            return True
        parts = list(nodes_of(function.node))
        harmless = {
            id(part.value)
            for part in parts
            if isinstance(part, ast.Attribute) and part.attr not in QUERY | OTHERS | _WHOLE
        }
        harmless |= {
            id(each)
            for part in parts
            if isinstance(part, ast.Call) and not self.reads(part, function.body, name, depth + 1)
            for each in (*part.args, *(keyword.value for keyword in part.keywords))
        }
        return any(isinstance(p, ast.Name) and p.id == name and id(p) not in harmless for p in parts)


def _is_decorated(target: Target | None) -> bool:
    """Whether a method is what a decorator makes of it, and so may be given other arguments."""
    return (
        isinstance(target, FunctionTarget)
        and isinstance(target.node, Function)
        and bool(target.node.decorator_list)
    )
