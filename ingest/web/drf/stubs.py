"""Handlers that do nothing yet or pass requests on, and handlers that read the request's body themselves."""

from __future__ import annotations

import ast
from typing import Final

from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import uncalled
from ingest.web.syntax.walks import nodes_of

_CHANGING: Final = frozenset({"update", "pop", "setdefault", "clear", "append", "extend", "insert", "remove"})
_READ: Final = frozenset({"data", "POST", "FILES", "body", "stream"})


def reads_body(part: ast.AST) -> bool:
    """Whether this is `request.data` or another way to the request's body."""
    if not isinstance(part, ast.Attribute) or part.attr not in _READ:
        return False
    owner = part.value
    return getattr(owner, "id", "") == "request" or getattr(owner, "attr", "") == "request"


def is_stub(handler: FunctionTarget) -> bool:
    """Whether a function has no body of its own yet."""
    if not isinstance(handler.node, Function):
        return False
    return all(
        isinstance(statement, ast.Pass)
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        or _is_missing(statement)
        or _is_empty(statement)
        for statement in handler.node.body
    )


def may_refuse(handler: FunctionTarget) -> bool:
    """Whether a function says, be it on a condition, that its own method is not allowed."""
    for part in nodes_of(handler.node):
        match part:
            case ast.Raise(exc=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))):
                if name == "MethodNotAllowed":
                    return True
            case ast.Call(func=ast.Attribute(attr="http_method_not_allowed")):
                return True
    return False


def _is_empty(statement: ast.stmt) -> bool:
    """Whether a statement answers nothing at all: `return Response()`."""
    match statement:
        case ast.Return(value=ast.Call(func=ast.Name(id="Response"), args=[], keywords=[])):
            return True
    return False


def _is_missing(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Raise) or statement.exc is None:
        return False
    made = uncalled(statement.exc)
    return isinstance(made, ast.Name) and made.id == "NotImplementedError"


def turns_pages(handler: FunctionTarget) -> bool:
    """Whether a function that answers with many has to do with pages, itself or by passing the request on."""
    for part in nodes_of(handler.node):
        match part:
            case ast.Name(id=name) | ast.Attribute(attr=name) if "paginat" in name.lower():
                return True
            case ast.Name(id="super") | ast.Attribute(attr="list" | "page" | "get_page"):
                return True
    return False


def passes_on(method: FunctionTarget, name: str) -> bool:
    """Whether a method surely does what the one above does too: `super().initial(request)` among its statements."""
    if not isinstance(method.node, Function):
        return False
    for statement in method.node.body:
        match statement:
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(attr=called, value=ast.Call(func=ast.Name(id="super"))))
            ):
                if called == name:
                    return True
            case ast.Return():
                return False
    return False


def is_left_alone(function: ast.AST, name: str) -> bool:
    """Whether a function changes nothing of what an answer of this name holds: it neither looks at its data nor hands
    it to anybody, and binds the name once."""
    given = 0
    for part in ast.walk(function):
        match part:
            case ast.Attribute(value=ast.Name(id=used), attr="data" | "content") if used == name:
                return False
            case ast.Call(args=args, keywords=keywords):
                handed = [*args, *(each.value for each in keywords)]
                if any(isinstance(each, ast.Name) and each.id == name for each in handed):
                    return False
            case ast.Name(id=used, ctx=ast.Store()) if used == name:
                given += 1
    return given == 1


def is_filled(function: ast.AST, name: str) -> bool:
    """Whether a function changes the entries of what has this name: `data["total"] = 1`, `data.update(more)`."""
    for part in ast.walk(function):
        match part:
            case ast.Subscript(value=ast.Name(id=used), ctx=ast.Store() | ast.Del()) if used == name:
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(id=used), attr=called)) if used == name:
                if called in _CHANGING:
                    return True
    return False
