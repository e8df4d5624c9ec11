"""What middlewares written as plain ASGI applications send by themselves, in place of what comes from inside."""

from __future__ import annotations

import ast

import msgspec

from ingest.web.constants.constants import status_of
from ingest.web.program.calls import given_for, has_stars
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, ParameterTarget, Target
from ingest.web.raising.asgi_middlewares import inherits_harmless, is_held, kept_by, own_parts
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of

_DEPTH = 6
_WRITTEN = frozenset({"status_code", "status"})


class Sending(msgspec.Struct):
    """The statuses of messages that are sent, and the applications to which a request is handed instead; `known` tells
    whether these are all."""

    statuses: set[int] = msgspec.field(default_factory=set)
    handed: list[tuple[ast.expr, Scope]] = msgspec.field(default_factory=list)
    known: bool = True


class _Call(msgspec.Struct, frozen=True):
    """A function that is called with what answers: its names for `receive` and `send`, and the call."""

    function: FunctionTarget
    receive: str
    send: str
    call: ast.Call | None = None
    scope: Scope | None = None


def sent_by(program: Program, owner: ClassTarget, called: FunctionTarget) -> Sending:
    """What a middleware of a class answers by itself; `called` is its `__call__`."""
    found = Sending()
    kept = kept_by(program, owner)
    _, _, receive, send = (argument.arg for argument, _ in parameters(called.node))
    if kept is None:
        found.known = False
    else:
        _Walk(program, owner, kept, found).function(_Call(called, receive, send), 0)
    return found


class _Walk:
    def __init__(self, program: Program, owner: ClassTarget, kept: set[str], found: Sending) -> None:
        self.program = program
        self.owner = owner
        self.kept = kept
        self.found = found

    def function(self, way: _Call, depth: int) -> None:
        """Reads one function that can answer."""
        if depth > _DEPTH:
            self.found.known = False
            return
        self.program.saw(way.function.scope.path)
        for part in nodes_of(way.function.node):
            if isinstance(part, ast.Dict):
                self._message(part, way)
            elif writes_status(part):
                self.found.known = False
        node = way.function.node
        for part in own_parts(node) if isinstance(node, Function) else ():
            if isinstance(part, ast.Call) and not is_held(part.func, self.kept):
                self._called(part, way, depth)

    def _message(self, node: ast.Dict, way: _Call) -> None:
        """Notes the status of a message that begins an answer."""
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == "status":
                status = self._status(value, way)
                self.found.statuses |= set() if status is None else {status}
                self.found.known = self.found.known and status is not None

    def _status(self, value: ast.expr, way: _Call) -> int | None:
        target = self.program.resolve(value, way.function.body)
        if isinstance(target, ParameterTarget) and way.call is not None and way.scope is not None:
            given, scope = given_for(target, way.function, way.call, way.scope)
            return status_of(self.program, given, scope)
        return status_of(self.program, value, way.function.body)

    def _called(self, call: ast.Call, way: _Call, depth: int) -> None:
        """Follows a call that is given what answers."""
        scope = way.function.body
        given = {each.id for each in call.args if isinstance(each, ast.Name)}
        given |= {each.value.id for each in call.keywords if isinstance(each.value, ast.Name)}
        if isinstance(call.func, ast.Name) and call.func.id == way.send:
            self.found.known = self.found.known and self._is_told(call, scope)
        elif way.send in given and not self._goes_on(call):
            inner = self._way(call, scope, way)
            if inner is not None:
                self.function(inner, depth + 1)
            elif way.receive in given:
                self.found.handed.append((call.func, scope))
            else:
                self.found.known = False

    def _is_told(self, call: ast.Call, scope: Scope) -> bool:
        """Whether what is sent is spelled out as a message."""
        node = call.args[0] if call.args else None
        if isinstance(node, ast.Name):
            values = [binding.value for binding in scope.bindings.get(node.id, [])]
            return bool(values) and all(isinstance(value, ast.Dict) for value in values)
        return isinstance(node, ast.Dict)

    def _goes_on(self, call: ast.Call) -> bool:
        """Whether this is `super().__call__(…)` of a class that reads as an application within does."""
        if not isinstance(call.func, ast.Attribute) or not isinstance(call.func.value, ast.Call):
            return False
        above = call.func.value.func
        return (
            isinstance(above, ast.Name)
            and above.id == "super"
            and inherits_harmless(self.program, self.owner)
        )

    def _way(self, call: ast.Call, scope: Scope, way: _Call) -> _Call | None:
        """The project's function that a call hands on to, with its names for what answers."""
        function = self._function(call.func, way.function, scope)
        if function is None or has_stars(call):
            return None
        receive = send = ""
        for argument, default in parameters(function.node):
            target = ParameterTarget(argument.arg, function.body, argument.annotation, default)
            value, _ = given_for(target, function, call, scope)
            if isinstance(value, ast.Name) and value.id == way.receive:
                receive = argument.arg
            elif isinstance(value, ast.Name) and value.id == way.send:
                send = argument.arg
        return _Call(function, receive, send, call, scope) if send else None

    def _function(self, node: ast.expr, around: FunctionTarget, scope: Scope) -> FunctionTarget | None:
        found: Target | None = self.program.resolve(node, scope)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and around.scope.is_class:
            own = next((argument.arg for argument, _ in parameters(around.node)), "")
            if node.value.id == own:
                found = self.program.class_member(self.owner, node.attr)
        return found if isinstance(found, FunctionTarget) and isinstance(found.node, Function) else None


def writes_status(part: ast.AST) -> bool:
    """Whether this sets the status of an answer that something else made."""
    match part:
        case ast.Attribute(attr=name, ctx=ast.Store()):
            return name in _WRITTEN
        case ast.Subscript(slice=ast.Constant(value=name), ctx=ast.Store()):
            return name in _WRITTEN
    return False
