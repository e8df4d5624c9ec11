"""What a function that lies around all handlers does for the requests of one path: tests of the path are settled."""

from __future__ import annotations

import ast
import copy
import re

from ingest.web.constants.constants import constant
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope

_VARIABLE = re.compile(r"\{\s*([A-Za-z_]\w*)")
_RESOURCE = "resource"
"""As aiohttp calls what a route belongs to (`request.match_info.route.resource`)."""
_PATHS = frozenset({"path", "rel_url", "url"})
_REQUESTS = frozenset({"request", "req", "conn", "connection"})
_VARIABLES = frozenset({"path_params", "match_info", "view_args"})


def for_request(
    program: Program, function: FunctionTarget, path: str, method: str, endpoint: str = ""
) -> FunctionTarget:
    """The function as it runs for the requests of this path, whose variables stand in braces, and method.

    `endpoint` is the name that the framework gives the route, where it gives one.
    """
    if not isinstance(function.node, Function):
        return function
    body = _Requests(program, function.body, path, method, endpoint).pruned(function.node.body)
    if body == function.node.body:
        return function
    node = copy.copy(function.node)
    node.body = body or [ast.copy_location(ast.Pass(), function.node)]
    return FunctionTarget(node, function.scope)


def is_passed_on(node: ast.expr | None, function: FunctionTarget, name: str) -> bool:
    """Whether an expression is what the handler, a parameter of this name, gave."""
    if isinstance(node, ast.Name):
        bindings = function.body.bindings.get(node.id, [])
        return bool(bindings) and all(is_passed_on(b.value, function, name) for b in bindings)
    if isinstance(node, ast.Await):
        node = node.value
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


class _Requests:
    def __init__(self, program: Program, scope: Scope, path: str, method: str, endpoint: str) -> None:
        self.program = program
        self.scope = scope
        self.path = path
        self.method = method
        self.endpoint = endpoint
        self.fixed = path.partition("{")[0]
        self.variables = frozenset(_VARIABLE.findall(path))

    def pruned(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The statements that may run."""
        kept: list[ast.stmt] = []
        for statement in body:
            if not isinstance(statement, ast.If):
                kept.append(statement)
                continue
            test = self.settled(statement.test)
            if isinstance(test, bool):
                branch = self.pruned(statement.body if test else statement.orelse)
                kept.extend(branch)
                if branch and isinstance(branch[-1], ast.Return | ast.Raise):
                    break
                continue
            new = copy.copy(statement)
            new.test, new.body, new.orelse = test, self.pruned(statement.body), self.pruned(statement.orelse)
            # What holds nothing any more does nothing.
            new.body = new.body or [ast.copy_location(ast.Pass(), statement)]
            kept.append(new)
        return kept

    def settled(self, test: ast.expr) -> bool | ast.expr:
        """Whether a test holds; what is left of it where that cannot be told."""
        match test:
            case ast.UnaryOp(op=ast.Not()):
                inner = self.settled(test.operand)
                return not inner if isinstance(inner, bool) else test
            case ast.BoolOp():
                return self._joined(test)
            case ast.Name() | ast.Call() if (named := self._variable(test)) is not None:
                return named in self.variables
            case ast.Name() if (written := self._written(test)) is not None:
                inner = self.settled(written)
                return inner if isinstance(inner, bool) else test
            case ast.Compare(
                left=left, ops=[ast.Is() | ast.IsNot() as operator], comparators=[ast.Constant(value=None)]
            ) if (named := self._variable(left)) is not None:
                return (named in self.variables) is isinstance(operator, ast.IsNot)
            case ast.Compare(
                left=ast.Constant(value=str() as named),
                ops=[ast.In() | ast.NotIn() as operator],
                comparators=[right],
            ) if self._has_variables(right):
                return (named in self.variables) is isinstance(operator, ast.In)
            case ast.Compare(
                left=left, ops=[ast.Is() | ast.IsNot() as operator], comparators=[ast.Constant(value=None)]
            ) if last_name(left) == _RESOURCE:
                # What is served has a resource.
                return isinstance(operator, ast.IsNot)
            case ast.Compare(left=ast.Tuple(elts=parts), ops=[ast.In()], comparators=[right]) if all(
                map(self._known, parts)
            ):
                found = constant(self.program, right, self.scope)
                rows = found if isinstance(found, list) else []
                return list(map(self._known, parts)) in rows if rows else test
            case ast.Compare(left=left, ops=[operator], comparators=[right]) if known := self._known(left):
                found = constant(self.program, right, self.scope)
                values = found if isinstance(found, list) else [found]
                if not all(isinstance(value, str) for value in values):
                    return test
                if isinstance(operator, ast.Eq | ast.In):
                    return known in values
                return known not in values if isinstance(operator, ast.NotEq | ast.NotIn) else test
            case ast.Call(func=ast.Attribute(value=owner, attr="startswith"), args=[first]) if self._is_path(
                owner
            ):
                found = constant(self.program, first, self.scope)
                begun = [self._begins(each) for each in (found if isinstance(found, list) else [found])]
                if True in begun:
                    return True
                if begun and None not in begun:
                    return False
            case ast.Attribute() if self._is_of_request(test, "endpoint"):
                # What is served has an endpoint.
                return True
            case ast.Call(func=ast.Attribute(value=owner, attr="startswith"), args=[first]) if (
                self.endpoint and self._is_of_request(owner, "endpoint")
            ):
                found = constant(self.program, first, self.scope)
                if isinstance(found, str):
                    return self.endpoint.startswith(found)
            case ast.Call(func=ast.Attribute(value=owner, attr="endswith"), args=[first]) if self._is_path(
                owner
            ):
                found = constant(self.program, first, self.scope)
                last = self.path.rpartition("}")[2]
                if isinstance(found, str) and (len(found) <= len(last) or last == self.path):
                    return self.path.endswith(found)
                if isinstance(found, str) and not found.endswith(last):
                    return False
        return test

    def _begins(self, text: object) -> bool | None:
        """Whether the path of each such request begins with a text; None where that depends on its variables."""
        if not isinstance(text, str):
            return None
        if len(text) <= len(self.fixed) or self.fixed == self.path:
            return self.path.startswith(text)
        return None if text.startswith(self.fixed) else False

    def _written(self, node: ast.Name) -> ast.expr | None:
        """The test that a variable holds the outcome of: `open = request.path.startswith("/login")`."""
        bindings = self.scope.bindings.get(node.id, [])
        value = bindings[0].value if len(bindings) == 1 else None
        return value if isinstance(value, ast.BoolOp | ast.Compare | ast.UnaryOp | ast.Call) else None

    def _joined(self, test: ast.BoolOp) -> bool | ast.expr:
        decisive = isinstance(test.op, ast.Or)
        left = [self.settled(value) for value in test.values]
        if any(value is decisive for value in left):
            return decisive
        rest = [value for value in left if not isinstance(value, bool)]
        if not rest:
            return not decisive
        if len(rest) == 1:
            return rest[0]
        return ast.copy_location(ast.BoolOp(op=test.op, values=rest), test)

    def _variable(self, node: ast.expr) -> str | None:
        """The name of the variable of the path that an expression asks for; None for any other expression."""
        if isinstance(node, ast.Name):
            bindings = self.scope.bindings.get(node.id, [])
            value = bindings[0].value if len(bindings) == 1 else None
            return self._variable(value) if isinstance(value, ast.Call) else None
        match node:
            case ast.Call(
                func=ast.Attribute(value=owner, attr="get"), args=[ast.Constant(value=str() as name), *rest]
            ) if self._has_variables(owner) and all(is_none(each) for each in rest):
                return name
        return None

    def _has_variables(self, node: ast.expr) -> bool:
        """Whether these are all variables of the path."""
        return any(self._is_of_request(node, name) for name in _VARIABLES)

    def _known(self, node: ast.expr) -> str:
        """What an expression is for these requests: their method, path or endpoint; empty for any other."""
        if self._is_path(node):
            return self.path
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr="environ"), attr="get"),
                args=[ast.Constant(value="REQUEST_METHOD"), *_],
            ):
                return self.method
        for name, value in (("method", self.method), ("endpoint", self.endpoint)):
            if self._is_of_request(node, name):
                return value
        return ""

    def _is_of_request(self, node: ast.expr, name: str) -> bool:
        return isinstance(node, ast.Attribute) and node.attr == name and last_name(node.value) in _REQUESTS

    def _is_path(self, node: ast.expr) -> bool:
        """Whether this is `request.path` (or `request.url.path`), also by another name, or the path of a resource."""
        if isinstance(node, ast.Name):
            bindings = self.scope.bindings.get(node.id, [])
            only = bindings[0].value if len(bindings) == 1 else None
            return isinstance(only, ast.Attribute) and self._is_path(only)
        if isinstance(node, ast.Attribute) and node.attr == "canonical":
            return last_name(node.value) == _RESOURCE
        if not (isinstance(node, ast.Attribute) and node.attr == "path"):
            return False
        owner = node.value
        if isinstance(owner, ast.Attribute) and owner.attr in _PATHS:
            owner = owner.value
        return isinstance(owner, ast.Name) and owner.id in _REQUESTS
