"""Of which class a value is, as far as annotations and plain assignments tell, and so what a call calls."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from typing import TypeAlias

from ingest.displays import DISPLAYS
from ingest.web.program.functions import assigned_by as assigned_by
from ingest.web.program.functions import assigned_in, is_only_declared, yielded
from ingest.web.program.functions import is_property as is_property
from ingest.web.program.functions import own_statements as own_statements
from ingest.web.program.functions import returned as returned
from ingest.web.program.heirs import above, as_overridden, heir_of
from ingest.web.program.managers import manages
from ingest.web.program.methods import (
    class_around,
    class_holding,
    class_of_cls,
    is_super,
    owner_of_self,
)
from ingest.web.program.nulls import is_none
from ingest.web.program.program import Program
from ingest.web.program.queried import Queried, gives_row
from ingest.web.program.shapes import Shape, ShapeKind
from ingest.web.program.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    LoopTarget,
    ParameterTarget,
    Target,
    ValueTarget,
)
from ingest.web.syntax.bindings import Bound
from ingest.web.syntax.naming import call_at
from ingest.web.syntax.scopes import Scope
from ingest.web.values.annotations import shape_of
from ingest.web.values.application_values import annotation_of_key, kept_name, kept_values
from ingest.web.values.generics import variables_in

_DEPTH = 12
Class: TypeAlias = ClassTarget | External
PLAIN = External("builtins.object")
_GENERATORS = frozenset(
    {"Generator", "Iterator", "Iterable", "AsyncGenerator", "AsyncIterator", "AsyncIterable"}
)
_KEEPING = frozenset({"aiohttp", "starlette", "fastapi"})
"""Frameworks whose applications keep values of the project's own for its handlers."""
_PLAIN = (*DISPLAYS, ast.BinOp, ast.UnaryOp)


class Instances:
    """Infers classes within one program; what the project does not define is `External`."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._active: set[Hashable] = set()
        self._queried = Queried(program, self.callee, lambda name, place: None, list)

    def of(self, node: ast.expr | None, scope: Scope, depth: int = 0) -> Class | None:
        """The class of an expression's value, or None where it cannot be known."""
        if node is None or depth > _DEPTH:
            return None
        if isinstance(node, _PLAIN):
            return PLAIN
        match node:
            case ast.Await(value=inner) | ast.NamedExpr(value=inner):
                return self.of(inner, scope, depth + 1)
            case ast.Name() | ast.Attribute():
                return self._named(node, scope, depth)
            case ast.Call():
                return self._result(node, scope, depth)
            case ast.Subscript():
                owner = self.of(node.value, scope, depth + 1)
                if isinstance(owner, External) and owner.root in _KEEPING:
                    return self._kept(node, scope, owner, depth)
                return owner if isinstance(owner, External) else self._kept(node, scope, None, depth)
            case ast.IfExp():
                first = self.of(node.body, scope, depth + 1)
                return first if first == self.of(node.orelse, scope, depth + 1) else None
            case ast.BoolOp():
                found = {self.of(value, scope, depth + 1) for value in node.values}
                return found.pop() if len(found) == 1 else None
        return None

    def callee(self, node: ast.expr, scope: Scope, depth: int = 0) -> FunctionTarget | Class | None:
        """What is called when this expression is: a function or method, a class, or something external."""
        if depth > _DEPTH:
            return None
        if depth or self._active:  # what is cut short is not what is to be remembered
            return self._callee(node, scope, depth)
        key = ("callee", node, scope, self.program.follows)
        return self.program.remember(key, lambda: self._callee(node, scope, depth))

    def _callee(self, node: ast.expr, scope: Scope, depth: int) -> FunctionTarget | Class | None:
        target = self.program.resolve(node, scope)
        if isinstance(target, FunctionTarget | ClassTarget | External):
            return target
        if isinstance(target, ValueTarget) and isinstance(target.node, ast.Lambda):
            return FunctionTarget(target.node, target.scope)
        if isinstance(node, ast.Attribute) and target is None:
            return self._method(node, scope, depth)
        if isinstance(target, ParameterTarget) and (made := class_of_cls(target)) is not None:
            return made
        if isinstance(node, ast.Subscript):
            generic = self.program.resolve(node.value, scope)
            return generic if isinstance(generic, ClassTarget) else None
        owner = self._of_target(target, depth + 1) if target is not None else None
        return self._attribute(owner, "__call__") if owner is not None else None

    def attribute(self, owner: ClassTarget, name: str, depth: int = 0) -> Target | None:
        """What `instance.name` stands for: a member of the class, or what a method assigns to `self.name`."""
        if depth > _DEPTH:
            return None
        target = self.program.class_member(owner, name)
        # What a base outside of the project may have is what the class sets, where it does.
        inherited = isinstance(target, External)
        empty = isinstance(target, ValueTarget) and is_only_declared(target.node)
        if target is not None and not inherited and not empty:
            return target
        for base in self.program.ancestry(owner):
            if isinstance(base, ClassTarget):
                values = self.program.remember(("self", base.node), lambda base=base: assigned_in(base))  # type: ignore[misc]  # mypy cannot type a lambda with a default
                if len(values.get(name, [])) == 1:
                    annotation, value, scope = values[name][0]
                    if annotation is None and isinstance(value, ast.Name | ast.Attribute):
                        said = self.program.resolve(value, scope)
                        # What a class declares holds, whatever a method is given that may set it.
                        declared = empty and isinstance(target, ValueTarget) and target.annotation is not None
                        return target if declared and isinstance(said, ParameterTarget) else said
                    return ValueTarget(value, scope, annotation)
        return target

    def of_annotation(self, annotation: ast.expr, scope: Scope) -> Class | None:
        """The class that an annotation names; the value behind a dependency's generator."""
        return of_shape(shape_of(self.program, annotation, scope))

    def _named(self, node: ast.Name | ast.Attribute, scope: Scope, depth: int) -> Class | None:
        target = self.program.resolve(node, scope)
        if target is not None:
            known = self._of_target(target, depth + 1)
            if known is not None or not isinstance(node, ast.Name) or depth > _DEPTH // 2:
                return known
            return self._filled(node, scope, depth)
        if isinstance(node, ast.Name):
            return self._filled(node, scope, depth)
        if isinstance(node, ast.Attribute):
            owner = self.of(node.value, scope, depth + 1)
            if isinstance(owner, External):
                return self._kept(node, scope, owner, depth) if owner.root in _KEEPING else owner
            if owner is None and (kept := self._kept(node, scope, None, depth)) is not None:
                return kept
            if isinstance(owner, ClassTarget):
                found = self.attribute(owner, node.attr, depth + 1)
                return self._of_target(found, depth + 1) if found is not None else None
        return None

    def _kept(
        self, node: ast.Subscript | ast.Attribute, scope: Scope, otherwise: Class | None, depth: int
    ) -> Class | None:
        """The class of what an application keeps; `otherwise` for what is no such value."""
        name = kept_name(self.program, node, scope)
        if name is None:
            return otherwise
        told = annotation_of_key(self.program, node, scope)
        if told is not None:
            return self.of_annotation(*told)
        if ("kept", name) in self._active:
            return None
        self._active.add(("kept", name))
        try:
            placed = kept_values(self.program, name)
            found = {self.of(value, inner, depth + 1) for value, inner in placed if not is_none(value)}
        finally:
            self._active.discard(("kept", name))
        return found.pop() if len(found) == 1 else None

    def _filled(self, node: ast.Name, scope: Scope, depth: int) -> Class | None:
        """The class of a parameter that is given a value where it has none: `store = store or Store()`."""
        owner: Scope | None = scope
        while owner is not None and node.id not in owner.bindings:
            owner = owner.parent
        bindings = owner.bindings[node.id] if owner is not None else []
        if (found := scope.find(node.id, node.lineno)) is not None and isinstance(
            found[1].given, ast.withitem
        ):
            return self._entered(found[1].given.context_expr, found[0], depth)
        if owner is not None and len(bindings) == 1 and isinstance(bindings[0].value, ast.Attribute):
            # Another name for what an object keeps: `handler = self.handler`.
            return self.of(bindings[0].value, owner, depth + 1) if bindings[0].how is Bound.VALUE else None
        if owner is None or len(bindings) != 2 or bindings[0].how is not Bound.PARAMETER:
            return None
        value = bindings[1].value if bindings[1].how is Bound.VALUE else None
        if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or) and len(value.values) == 2:
            first = value.values[0]
            value = value.values[1] if isinstance(first, ast.Name) and first.id == node.id else None
        made = self.of(value, owner, depth + 1) if isinstance(value, ast.Call) else None
        annotation = bindings[0].annotation or getattr(bindings[0].node, "annotation", None)
        said = self.of_annotation(annotation, owner.parent or owner) if annotation is not None else made
        # What is put there for none is of the class that the annotation promises, where nothing tells otherwise.
        return said if made is None or made == said else None

    def _entered(self, node: ast.expr, scope: Scope, depth: int) -> Class | None:
        """The class of what `with manager as name:` gives: of one from outside, something of its own."""
        called = self.callee(node.func, scope, depth + 1) if isinstance(node, ast.Call) else None
        if isinstance(called, FunctionTarget):
            found = {self.of(value, inner, depth + 1) for value, inner in yielded(called)}
            return self._returned(called, depth) or (found.pop() if len(found) == 1 else None)
        made = self.of(node, scope, depth + 1)
        if not isinstance(made, ClassTarget):
            return made
        entered = (self.attribute(made, name, depth + 1) for name in ("__aenter__", "__enter__"))
        for method in entered:
            if isinstance(method, FunctionTarget):
                results = [value for value, _ in returned(method)]
                itself = bool(results) and all(isinstance(value, ast.Name) for value in results)
                return made if itself else self._returned(method, depth)
        return None

    def _of_target(self, target: Target, depth: int) -> Class | None:
        match target:
            case External():
                return target
            case ParameterTarget():
                return self._of_parameter(target, depth)
            case ValueTarget():
                if target.annotation is not None:
                    return self.of_annotation(target.annotation, target.scope)
                return self.of(target.node, target.scope, depth + 1)
            case FunctionTarget(node=node) if is_property(node):
                return self._returned(target, depth)
            case LoopTarget():
                owner = self.of(target.iterable, target.scope, depth + 1)
                return owner if isinstance(owner, External) else None
        return None

    def _of_parameter(self, target: ParameterTarget, depth: int) -> Class | None:
        owner = owner_of_self(target)
        if owner is not None:
            return owner
        outside = target.scope.parent or target.scope
        if target.annotation is not None:
            shape = shape_of(self.program, target.annotation, outside)
            return of_shape(shape) or (PLAIN if shape.kind is ShapeKind.ANY and not shape.metadata else None)
        if isinstance(target.default, ast.Call):
            made = self.program.resolve(target.default.func, outside)
            if isinstance(made, External) and made.name in ("Depends", "Security") and target.default.args:
                return self._result(call_at(target.default.args[0], target.default), outside, depth + 1)
        return None

    def _result(self, node: ast.Call, scope: Scope, depth: int) -> Class | None:
        rows = self.program.resolve(managed, scope) if (managed := manages(node)) is not None else None
        if isinstance(rows, ClassTarget):
            return rows
        called = self.callee(node.func, scope, depth + 1)
        if isinstance(called, FunctionTarget):
            found = self._returned(called, depth)
            given = self.variables(called, node, scope, depth) if found is None else {}
            returns = getattr(called.node, "returns", None) if given else None
            if returns is not None:
                return of_shape(shape_of(self.program, returns, called.scope, given))
            # A class above may ask for rows of the class on which its method is called.
            return self._queried.one(node, scope) if found is None and called.scope.is_class else found
        if not isinstance(called, ClassTarget) and gives_row(node):
            return self._queried.one(node, scope) or called
        return called

    def _returned(self, function: FunctionTarget, depth: int) -> Class | None:
        if isinstance(function.node, ast.Lambda):
            return self.of(function.node.body, function.body, depth + 1)
        if function.node.returns is not None:
            shape = shape_of(self.program, function.node.returns, function.scope)
            return of_shape(shape)
        found = {self.of(value, inner, depth + 1) for value, inner in returned(function)}
        return found.pop() if len(found) == 1 else None

    def variables(
        self, called: FunctionTarget, call: ast.Call, scope: Scope, depth: int = 0
    ) -> dict[str, Shape]:
        """What a generic class's type variables stand for in a call of its method: as the heir on whose object it is
        called has them."""
        holder, written = class_holding(called), call.func
        if holder is None or not isinstance(written, ast.Attribute):
            return {}
        if not any(isinstance(base, ast.Subscript) for base in holder.node.bases):
            return {}
        name = written.value.id if isinstance(written.value, ast.Name) else ""
        own = owner_of_self(ParameterTarget(name, scope, None, None)) is not None
        owner = heir_of(scope) if own else self.of(written.value, scope, depth + 1)
        return variables_in(self.program, owner, holder) if isinstance(owner, ClassTarget) else {}

    def _method(self, node: ast.Attribute, scope: Scope, depth: int) -> FunctionTarget | Class | None:
        if is_super(node.value) and (inside := class_around(scope)):
            return self._above(node, inside, heir_of(scope) or inside, scope)
        owner = self.of(node.value, scope, depth + 1)
        found = self._attribute(owner, node.attr, depth + 1) if owner is not None else None
        return self._had_by(owner, found) if isinstance(owner, ClassTarget) else found

    def _above(
        self, node: ast.Attribute, inside: ClassTarget, heir: ClassTarget, scope: Scope
    ) -> FunctionTarget | Class | None:
        """What `super().name` is in a method of the class `inside`, where it is called on an object of its heir."""
        said = node.value.args[0] if isinstance(node.value, ast.Call) and node.value.args else None
        named = self.program.resolve(said, scope) if said is not None else None
        for base in above(self.program, named if isinstance(named, ClassTarget) else inside, heir):
            if base is None:
                return None
            found = self._attribute(base, node.attr)
            if found is not None:
                return self._had_by(heir, found)
        return PLAIN

    def _had_by(
        self, owner: ClassTarget, found: FunctionTarget | Class | None
    ) -> FunctionTarget | Class | None:
        """What is called on an object, as its class has it where it inherits it and overrides what it uses."""
        return as_overridden(self.program, found, owner) if isinstance(found, FunctionTarget) else found

    def _attribute(self, owner: Class, name: str, depth: int = 0) -> FunctionTarget | Class | None:
        if isinstance(owner, External):
            return External(f"{owner.dotted}.{name}")
        found = self.attribute(owner, name, depth)
        if isinstance(found, FunctionTarget | ClassTarget | External):
            return found
        if found is None:
            bases = self.program.ancestry(owner)
            return None if None in bases else next((b for b in bases if isinstance(b, External)), None)
        inner = self._of_target(found, depth + 1)
        return self._attribute(inner, "__call__", depth + 1) if inner is not None and depth < _DEPTH else None


def of_shape(shape: Shape) -> Class | None:
    """The one class of the values that an annotation admits; builtin and other outside types are external."""
    members = shape.members
    if len(members) != 1:
        return None
    only = members[0]
    if (
        only.kind is ShapeKind.EXTERNAL
        and isinstance(only.target, External)
        and only.target.name in _GENERATORS
    ):
        return of_shape(only.arguments[0]) if only.arguments else None
    if only.kind in (ShapeKind.CLASS, ShapeKind.EXTERNAL) and isinstance(only.target, ClassTarget | External):
        return only.target
    if only.kind in (ShapeKind.UNKNOWN, ShapeKind.ANY):
        return None
    return PLAIN
