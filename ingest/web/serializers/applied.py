"""Where drf-spectacular's decorators are called as functions, on a class, a function or a method of a class."""

from __future__ import annotations

import ast

import msgspec

from ingest.web.program.handed_back import handed_back
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.serializers.declaring_functions import added_by
from ingest.web.serializers.yasg import DECORATOR, is_yasg
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.scopes import Scope


class Applied(msgspec.Struct, frozen=True):
    """The decorator as it is made, where, and whether it is surely called."""

    call: ast.Call
    scope: Scope
    certain: bool


def stated(
    program: Program, node: ast.ClassDef | Function, scope: Scope, name: str
) -> list[tuple[ast.Call, Scope]]:
    """The calls of drf-spectacular's decorator of this name that stand on a class or function, be it by a name
    that they are bound to, or that are called with it, each with where it is written; the outermost comes first.

    For `extend_schema`, drf-yasg's decorator counts as well, and functions of the project that pass on to it what they
    are called with."""
    found = [(each.call, each.scope) for each in applied(program, node, scope, name)]
    for decorator in node.decorator_list:
        call, place = decorator, scope
        if not isinstance(call, ast.Call):
            bound = program.resolve(call, scope)
            if isinstance(bound, ValueTarget) and isinstance(bound.node, ast.Call):
                call, place = bound.node, bound.scope
        if isinstance(call, ast.Call):
            target = program.resolve(call.func, place)
            known = isinstance(target, External) and target.name == name and target.root == "drf_spectacular"
            if name == "extend_schema" and not known:
                known = is_yasg(target, DECORATOR) or added_by(program, call, place) is not None
            if known:
                found.append((call, place))
    return found


def applied(program: Program, node: ast.ClassDef | Function, scope: Scope, name: str) -> list[Applied]:
    """The calls of the decorator of this name with a class or function, the last one first as the outermost is."""
    found = []
    for outer, taken in _calls(program, scope, name):
        if isinstance(taken, ast.Name) and taken.id == node.name:
            target = program.resolve(taken, scope)
            if isinstance(target, ClassTarget | FunctionTarget) and target.node is node:
                found.append(_noted(outer, scope))
    return found


def may_be_applied(program: Program, node: ast.ClassDef | Function, scope: Scope) -> bool:
    """Whether a condition decides if such a decorator is called with a class or function."""
    names = ("extend_schema", "extend_schema_view")
    return any(not each.certain for name in names for each in applied(program, node, scope, name))


def applied_to_method(program: Program, owner: ClassTarget, names: tuple[str, ...]) -> list[Applied]:
    """The calls of `extend_schema` with a method of one of these names: `View.get = extend_schema(…)(View.get)`, or in
    the body of the class `list = extend_schema(…)(Other.list)`.

    Of a method that the class only inherits, the call notes it on what others inherit as well: nothing is certain.
    """
    found = []
    own = {s.name for s in owner.node.body if isinstance(s, Function)}
    for outer, taken in _calls(program, owner.scope, "extend_schema"):
        match taken:
            case ast.Attribute(value=ast.Name(id=called) as view, attr=name) if name in names:
                target = program.resolve(view, owner.scope) if called == owner.node.name else None
                if isinstance(target, ClassTarget) and target.node is owner.node:
                    noted = _noted(outer, owner.scope)
                    found.append(Applied(noted.call, noted.scope, noted.certain and name in own))
    for outer, taken in _calls(program, owner.body, "extend_schema"):
        bound = {n for n in names for b in owner.body.bindings.get(n, ()) if b.value is outer}
        if bound and isinstance(taken, ast.Attribute):
            found.append(_noted(outer, owner.body))
    return found


def _calls(program: Program, scope: Scope, name: str) -> list[tuple[ast.Call, ast.expr]]:
    found = []
    for call in reversed(scope.calls):
        made = call.func.func if isinstance(call.func, ast.Call) else None
        if isinstance(made, ast.Name | ast.Attribute) and len(call.args) == 1:
            taken = handed_back(call, lambda inner: program.resolve(inner, scope))
            target = program.resolve(made, scope) if taken is not None else None
            if taken is not None and getattr(target, "name", "") == name:
                found.append((call, taken))
    return found


def _noted(outer: ast.Call, scope: Scope) -> Applied:
    assert isinstance(outer.func, ast.Call)
    return Applied(outer.func, scope, not scope.chooses(outer))
