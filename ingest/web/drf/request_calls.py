"""Calls to which a handler of the REST framework hands its whole request: which parameters of it they read."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.constants.constants import text_of
from ingest.web.program.calls import is_static
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of

QUERY: Final = frozenset({"query_params", "GET"})
OTHERS: Final = frozenset({"headers", "META", "COOKIES"})
_BODY: Final = frozenset({"data", "POST", "FILES", "body"})
_WHOLE: Final = frozenset({"stream", "_request"})
BODY: Final = "body"
"""The key of what is no parameter."""
_PASSED: Final = frozenset({"get_serializer", "paginate_queryset", "get_paginated_response"})
_UNASKING: Final = ("django.contrib.auth.", "django.contrib.messages.", "rest_framework.reverse.", "logging.")
"""Modules whose functions are given requests and read no parameters of them."""
_ACTIONS: Final = frozenset({"create", "update", "partial_update", "destroy", "retrieve"})
_DEPTH: Final = 3


class RequestCalls:
    """Looks at the calls of one view, which is None for a function."""

    def __init__(self, program: Program, view: ClassTarget | None) -> None:
        self.program = program
        self.view = view

    def read(self, call: ast.Call, scope: Scope, name: str, depth: int = 0) -> set[str] | None:
        """The keys of the parameters that something reads to which a call hands the request, which has this name, and
        `BODY` where it reads that; None where it may read others."""
        given = [(str(place), each) for place, each in enumerate(call.args)]
        given += [(keyword.arg or "", keyword.value) for keyword in call.keywords]
        places = [place for place, each in given if isinstance(each, ast.Name) and each.id == name]
        if not places or _is_plain(call):
            return set()
        target, bound = self._called(call.func, scope)
        if isinstance(target, External):
            return set() if target.dotted.startswith(_UNASKING) or _is_the_frameworks(target) else None
        if not isinstance(target, FunctionTarget) or depth > _DEPTH:
            return None
        found: set[str] = set()
        for place in places:
            asked = self._asked(target, place, bound, depth)
            if asked is None:
                return None
            found |= asked
        return found

    def _called(self, node: ast.expr, scope: Scope) -> tuple[Target | None, bool]:
        """What is called, and whether it is bound to the view, so that it is given the view first."""
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self.view is not None:
                found = self.program.class_member(self.view, name)
                return (None if _is_decorated(found) else found), True
            case ast.Attribute(value=ast.Name() | ast.Attribute() as owner, attr=name):
                held = self.program.resolve(owner, scope)
                call = held.node if isinstance(held, ValueTarget) else None
                if isinstance(held, ValueTarget) and isinstance(call, ast.Call):
                    # A method of an object that stands in the source: `service.sign_in(request)`.
                    made = self.program.resolve(call.func, held.scope)
                    found = self.program.class_member(made, name) if isinstance(made, ClassTarget) else None
                    static = isinstance(found, FunctionTarget) and is_static(found)
                    return (None if _is_decorated(found) and not static else found), not static
        return self.program.resolve(node, scope), False

    def _asked(self, function: FunctionTarget, place: str, bound: bool, depth: int) -> set[str] | None:
        """The keys of the parameters that a function reads of the request that it is given at a place, or by a name;
        None where it may read others."""
        if not isinstance(function.node, Function):
            return None
        taken = [each.arg for each, _ in parameters(function.node)][int(bound) :]
        name = (taken[int(place)] if int(place) < len(taken) else "") if place.isdigit() else place
        if name not in taken:
            return None
        parts = list(nodes_of(function.node))
        found: set[str] = set()
        harmless = {
            id(part.value)
            for part in parts
            if isinstance(part, ast.Attribute) and part.attr not in QUERY | OTHERS | _WHOLE
        }
        for part in parts:
            match part:
                case ast.Attribute(value=ast.Name(id=asked), attr=source) if (
                    asked == name and source in _BODY
                ):
                    found.add(BODY)
            if (single := named(self.program, part, function.body)) is not None:
                found |= {single[0]} - {""}
                harmless.add(id(single[1].value))
            if isinstance(part, ast.Call):
                read = self.read(part, function.body, name, depth + 1)
                if read is not None:
                    found |= read
                    harmless |= {id(each) for each in (*part.args, *(k.value for k in part.keywords))}
        asking = any(isinstance(p, ast.Name) and p.id == name and id(p) not in harmless for p in parts)
        return None if asking else found


def _is_plain(call: ast.Call) -> bool:
    """Whether a call reads no parameters of a request, by the way it is written."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")))):
            return True
        case ast.Call(func=ast.Attribute(attr=called)) if called in _PASSED:
            return True
        case ast.Call(func=ast.Attribute(attr="send" | "send_robust" | "asend"), keywords=keywords):
            # Those whom a signal tells of a request answer nothing.
            return any(each.arg == "sender" for each in keywords)
        case ast.Call(func=ast.Name(id="dict" | "isinstance" | "hasattr" | "id" | "type")):
            return True
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(asked)), *_]):
            return asked not in QUERY | OTHERS | _BODY | _WHOLE
    return False


def _is_the_frameworks(target: External) -> bool:
    """Whether this is an action of the framework's own, of those that look at no parameters: `self.create(request)`."""
    return target.dotted.startswith("rest_framework.") and target.name in _ACTIONS


def named(program: Program, part: ast.AST, scope: Scope) -> tuple[str, ast.Attribute] | None:
    """The key of the parameter that `request.query_params["q"]`, `.get("q")` or `"q" in …` reads, empty for what no
    client sends as one (`META["REMOTE_ADDR"]`), and what it reads from."""
    match part:
        case ast.Subscript(value=ast.Attribute() as owner, slice=written):
            pass
        case ast.Call(
            func=ast.Attribute(value=ast.Attribute() as owner, attr="get" | "getlist"), args=[written, *_]
        ):
            pass
        case ast.Compare(left=written, ops=[ast.In() | ast.NotIn()], comparators=[ast.Attribute() as owner]):
            pass
        case _:
            return None
    name = text_of(program, written, scope) if owner.attr in QUERY | OTHERS else None
    return (_key(owner.attr, name), owner) if name is not None else None


def _key(source: str, name: str) -> str:
    """The key of the parameter that an attribute of the request has under a name."""
    if source in QUERY:
        return f"query.{name}"
    if source == "COOKIES":
        return f"cookie.{name}"
    if source == "META" and not name.startswith("HTTP_"):
        return ""
    return "header." + name.removeprefix("HTTP_").replace("_", "-").lower()


def _is_decorated(target: Target | None) -> bool:
    """Whether a method is what a decorator makes of it, and so may be given other arguments."""
    return (
        isinstance(target, FunctionTarget)
        and isinstance(target.node, Function)
        and bool(target.node.decorator_list)
    )
