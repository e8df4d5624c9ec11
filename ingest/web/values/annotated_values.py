"""What annotations tell of values of expressions: arguments, attributes, results of functions, elements of lists."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from ingest.web.program.either import part_of_call
from ingest.web.program.methods import owner_of_self
from ingest.web.program.nulls import is_none
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import (
    ClassTarget,
    FunctionTarget,
    LoopTarget,
    ParameterTarget,
    Target,
    ValueTarget,
)
from ingest.web.syntax.bindings import Bound, Function
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of
from ingest.web.values.instances import Instances, is_property, of_shape, returned
from ingest.web.values.kept_places import Placed

Rounds = Callable[[], Iterable[tuple[str, ast.expr, Scope]]]
Given = Callable[[str, Scope], "tuple[ast.expr, Scope] | None"]
_DEPTH = 10
_LISTED = frozenset({"list", "sorted", "tuple", "reversed", "set", "frozenset"})
_LISTS = (ShapeKind.ARRAY, ShapeKind.SET)
_COPIES = frozenset({"model_copy", "copy"})


class AnnotatedValues:
    """Reads the annotations behind expressions.

    `rounds` gives the variables of the comprehensions, `given` the arguments of the calls that are being read.
    """

    def __init__(self, instances: Instances, rounds: Rounds, given: Given) -> None:
        self.program = instances.program
        self.instances = instances
        self._rounds = rounds
        self._given = given

    def class_of(self, node: ast.expr, scope: Scope) -> ClassTarget | None:
        """The one class of the project that the values of an expression have."""
        shape = self.shape(node, scope)
        found = of_shape(shape) if shape is not None else None
        return found if isinstance(found, ClassTarget) else None

    def method(self, node: ast.Attribute, scope: Scope) -> FunctionTarget | None:
        """The method of the project that an attribute of such a value is."""
        owner = self.class_of(node.value, scope)
        found = self.instances.attribute(owner, node.attr) if owner is not None else None
        return found if isinstance(found, FunctionTarget) else None

    def shape(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> Shape | None:
        """The annotation of an expression's value; None where nothing tells."""
        if node is None or depth > _DEPTH:
            return None
        match node:
            case ast.Await(value=inner) | ast.NamedExpr(value=inner):
                return self.shape(inner, scope, depth + 1)
            case ast.Name():
                return self._named(node, scope, depth)
            case ast.Attribute():
                return self._attribute(node, scope, depth)
            case ast.Subscript(slice=ast.Slice()):
                return self.shape(node.value, scope, depth + 1)
            case ast.Subscript():
                return _part(self.shape(node.value, scope, depth + 1))
            case ast.Call():
                return self._result(node, scope, depth)
        return None

    def element(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> Shape | None:
        """The annotation of what an expression's value holds one after the other."""
        if node is None or depth > _DEPTH:
            return None
        match node:
            case (
                ast.ListComp(elt=ast.Name(id=name), generators=[only])
                | ast.GeneratorExp(elt=ast.Name(id=name), generators=[only])
            ) if isinstance(only.target, ast.Name) and only.target.id == name:
                return self.element(only.iter, scope, depth + 1)
            case ast.Subscript(slice=ast.Slice()):
                return self.element(node.value, scope, depth + 1)
            case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _LISTED:
                return self.element(first, scope, depth + 1)
            case ast.Call(func=ast.Attribute(value=owner, attr="values"), args=[]):
                whole = self.shape(owner, scope, depth + 1)
                return _part(whole) if whole is not None and whole.kind is ShapeKind.MAPPING else None
            case ast.Name() if (found := self._filtered(node, scope, depth)) is not None:
                return found
            case ast.Name() if self.program.resolve(node, scope) is None:
                told, placed = self._part_of_call(node, scope, depth)
                if placed is not None:
                    return self.element(*placed, depth + 1)
                return _part(told) if told is not None and told.kind in _LISTS else None
        whole = self.shape(node, scope, depth + 1)
        return _part(whole) if whole is not None and whole.kind in _LISTS else None

    def _filtered(self, node: ast.Name, scope: Scope, depth: int) -> Shape | None:
        """The elements of a list that is made anew from itself, step by step."""
        bindings = scope.bindings.get(node.id, [])
        if not bindings or any(b.how is not Bound.VALUE or b.annotation is not None for b in bindings):
            return None
        found = None
        for binding in bindings:
            if binding.value is not None and _is_of_itself(binding.value, node.id):
                continue
            later = self.element(binding.value, scope, depth + 1)
            if later is None or (found is not None and later != found):
                return None
            found = later
        return found

    def _named(self, node: ast.Name, scope: Scope, depth: int) -> Shape | None:
        for name, iterable, around in reversed(list(self._rounds())):
            if name == node.id and around is scope:
                return self.element(iterable, scope, depth + 1)
        target = self.program.resolve(node, scope)
        if target is not None:
            return self._of(target, depth)
        told, placed = self._part_of_call(node, scope, depth)
        return self.shape(*placed, depth + 1) if placed is not None else told

    def _of(self, target: Target | None, depth: int) -> Shape | None:
        match target:
            case ParameterTarget():
                owner = owner_of_self(target)
                if owner is not None:
                    return Shape(ShapeKind.CLASS, target=owner)
                outside = target.scope.parent or target.scope
                if target.annotation is not None:
                    return self._annotated(target.annotation, outside)
                given = self._given(target.name, target.scope)
                return self.shape(*given, depth + 1) if given is not None else None
            case ValueTarget():
                if target.annotation is not None:
                    return self._annotated(target.annotation, target.scope)
                return self.shape(target.node, target.scope, depth + 1)
            case LoopTarget():
                return self.element(target.iterable, target.scope, depth + 1)
        if (
            isinstance(target, FunctionTarget)
            and isinstance(target.node, Function)
            and is_property(target.node)
        ):
            returns = target.node.returns
            return self._annotated(returns, target.scope) if returns is not None else None
        return None

    def _attribute(self, node: ast.Attribute, scope: Scope, depth: int) -> Shape | None:
        target = self.program.resolve(node, scope)
        if target is None:
            shape = self.shape(node.value, scope, depth + 1)
            owner = of_shape(shape) if shape is not None else self.instances.of(node.value, scope)
            target = self.instances.attribute(owner, node.attr) if isinstance(owner, ClassTarget) else None
        return self._of(target, depth)

    def _result(self, node: ast.Call, scope: Scope, depth: int) -> Shape | None:
        function = node.func
        called = self.instances.callee(function, scope)
        if not isinstance(called, FunctionTarget | ClassTarget) and isinstance(function, ast.Attribute):
            owner = self.shape(function.value, scope, depth + 1)
            if owner is None:
                return None
            if owner.kind is ShapeKind.MAPPING and function.attr in ("get", "pop"):
                return _part(owner)
            made = of_shape(owner)
            if not isinstance(made, ClassTarget):
                return None
            if function.attr in _COPIES and self.instances.program.class_member(made, function.attr) is None:
                return owner
            found = self.instances.attribute(made, function.attr)
            called = found if isinstance(found, FunctionTarget) else None
        if isinstance(called, ClassTarget):
            return Shape(ShapeKind.CLASS, target=called)
        if not isinstance(called, FunctionTarget) or not isinstance(called.node, Function):
            return None
        if called.node.returns is not None:
            variables = self.instances.variables(called, node, scope)
            return shape_of(self.program, called.node.returns, called.scope, variables)
        given = [
            self.shape(value, inner, depth + 1) for value, inner in returned(called) if not is_none(value)
        ]
        return given[0] if len(given) == 1 else None

    def _part_of_call(self, node: ast.Name, scope: Scope, depth: int) -> tuple[Shape | None, Placed | None]:
        """The annotation of what a name gets of several values that a call gives (`rows, total = …`), or else the one
        expression that the called function gives for it."""
        part = part_of_call(self.program, node, scope)
        if part is None:
            return None, None
        call, number, inner = part
        whole = self.shape(call, inner, depth + 1)
        if whole is not None:
            known = whole.kind is ShapeKind.TUPLE and number < len(whole.arguments)
            return (whole.arguments[number] if known else None), None
        called = self.instances.callee(call.func, inner)
        results = returned(called) if isinstance(called, FunctionTarget) else []
        if len(results) != 1 or not isinstance(results[0][0], ast.Tuple) or number >= len(results[0][0].elts):
            return None, None
        return None, (results[0][0].elts[number], results[0][1])

    def _annotated(self, node: ast.expr, scope: Scope) -> Shape:
        return shape_of(self.program, node, scope)


def _part(whole: Shape | None) -> Shape | None:
    """What a list or a mapping of this annotation holds."""
    if whole is None:
        return None
    if whole.kind in _LISTS and len(whole.arguments) == 1:
        return whole.arguments[0]
    return whole.arguments[1] if whole.kind is ShapeKind.MAPPING and len(whole.arguments) == 2 else None


def _is_of_itself(node: ast.expr, name: str) -> bool:
    """Whether a list is a part of, or another order of, what already has this name."""
    match node:
        case ast.ListComp(elt=ast.Name(id=kept), generators=[only]):
            target = only.target
            return isinstance(target, ast.Name) and target.id == kept and _is_of_itself(only.iter, name)
        case ast.Subscript(value=inner, slice=ast.Slice()):
            return _is_of_itself(inner, name)
        case ast.Call(func=ast.Name(id=made), args=[inner, *_]) if made in _LISTED:
            return _is_of_itself(inner, name)
    return isinstance(node, ast.Name) and node.id == name
