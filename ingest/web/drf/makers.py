"""What the methods of a view do by which it makes its serializers."""

from __future__ import annotations

import ast

from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.scopes import Scope


def sets_depth(chooser: FunctionTarget) -> bool:
    """Whether a function sets how deeply a serializer writes out relations: `BookSerializer.Meta.depth = 1`."""
    return any(
        isinstance(part, ast.Attribute) and part.attr == "depth" and isinstance(part.ctx, ast.Store)
        for part in ast.walk(chooser.node)
    )


def passes_on(maker: FunctionTarget) -> bool:
    """Whether the view's own `get_serializer` gives what the framework's would, with another context at most."""
    made = {
        statement.targets[0].id
        for statement in ast.walk(maker.node)
        if isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Name)
        and _asks(statement.value, "get_serializer_class")
    }
    for part in ast.walk(maker.node):
        match part:
            case ast.Return(value=ast.Call() as call):
                plain = _asks(call, "get_serializer") or getattr(call.func, "id", "") in made
                if not plain or any(k.arg not in (None, "context") for k in call.keywords):
                    return False
            case ast.Return():
                return False
            case ast.Subscript(slice=key, ctx=ast.Store()):
                if not (isinstance(key, ast.Constant) and key.value == "context"):
                    return False
            case ast.Call(func=ast.Attribute(attr="update" | "pop")):
                return False
            case ast.Call(func=ast.Attribute(attr="setdefault"), args=[ast.Constant(value=name), *_]):
                if name != "context":
                    return False
    return True


def is_asked_class(node: ast.expr, scope: Scope) -> bool:
    """Whether what is called is the class that the view names, be it kept under a name that its object has later:
    `serializer = self.get_serializer_class(); serializer = serializer(data=request.data)`."""
    if isinstance(node, ast.Name):
        values = [binding.value for binding in scope.bindings.get(node.id, [])]
        first, others = (values[0], values[1:]) if values else (None, [])
        made = [isinstance(each, ast.Call) and getattr(each.func, "id", "") == node.id for each in others]
        return isinstance(first, ast.Call) and all(made) and is_asked_class(first, scope)
    return isinstance(node, ast.Call) and not node.args and _asks(node, "get_serializer_class")


def _asks(node: ast.expr, name: str) -> bool:
    """Whether a call asks the view, or the classes above it, by the method of this name."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=asked)):
            return asked == name
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=asked)):
            return asked == name
    return False
