"""Methods that a class inherits, as its own objects have them: what these call on themselves may be another method."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ingest.web.program.calls import is_static
from ingest.web.program.lineage import Lineage
from ingest.web.program.methods import class_holding, owner_of_self
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, ParameterTarget, Target, ValueTarget
from ingest.web.syntax.bindings import Bound, Function, parameters, standing_for
from ingest.web.syntax.copies import copy_of
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of


def of_heir(program: Program, method: FunctionTarget, owner: ClassTarget) -> FunctionTarget:
    """A method that a class above defines, as the objects of this class have it: what it calls on them is theirs."""
    first = next(parameters(method.node), None)
    if first is None or not method.scope.is_class or method.scope.node is owner.node or is_static(method):
        return method
    if any(binding.how is Bound.GIVEN for binding in method.body.bindings.get(first[0].arg, ())):
        return method

    def made() -> FunctionTarget:
        copied = FunctionTarget(copy_of(method.node), method.scope)
        itself = ParameterTarget(first[0].arg, owner.body.child(copied.node), None, None)
        own = standing_for(copied.node, itself)
        copied.body.bindings[first[0].arg] = [own]
        return copied

    return program.remember(("heir", method.node, owner.node), made)


def as_overridden(program: Program, method: FunctionTarget, owner: ClassTarget) -> FunctionTarget:
    """As `of_heir`, but the method itself where the class overrides nothing that the method uses of its object."""
    holder = class_holding(method)
    if holder is None or holder.node is owner.node or not isinstance(method.node, Function):
        return method
    key = ("overridden", method.node, owner.node)
    changed = program.remember(
        key, lambda: _makes_itself(method) or _is_changed(program, method, holder, owner)
    )
    return of_heir(program, method, owner) if changed else method


def heir_of(scope: Scope) -> ClassTarget | None:
    """The class whose objects the method around a scope is read for; None outside of methods."""
    inner: Scope | None = scope
    while inner is not None and not (isinstance(inner.node, Function) and _is_method(inner)):
        inner = inner.parent
    first = (
        next(parameters(inner.node), None) if inner is not None and isinstance(inner.node, Function) else None
    )
    if inner is None or first is None:
        return None
    for binding in inner.bindings.get(first[0].arg, ()):
        if binding.how is Bound.GIVEN and isinstance(binding.given, ParameterTarget):
            return owner_of_self(binding.given)
    return owner_of_self(ParameterTarget(first[0].arg, inner, None, None))


def above(program: Program, inside: ClassTarget, heir: ClassTarget) -> Lineage:
    """The classes that `super()` asks within a class, for objects of one that inherits from it."""
    order = program.ancestry(heir)
    places = [at for at, c in enumerate(order) if isinstance(c, ClassTarget) and c.node is inside.node]
    return order[places[0] + 1 :] if places else program.ancestry(inside)[1:]


def _is_method(scope: Scope) -> bool:
    return scope.parent is not None and scope.parent.is_class


def _makes_itself(method: FunctionTarget) -> bool:
    """Whether a class method makes an object of the class on which it is called."""
    first = next(parameters(method.node), None)
    made = {each.func.id for each in method.body.calls if isinstance(each.func, ast.Name)}
    return first is not None and first[0].arg in made


def _is_changed(program: Program, method: FunctionTarget, holder: ClassTarget, owner: ClassTarget) -> bool:
    """Whether something that the method uses of its object, or what it calls so, is another in the class below."""
    seen: set[str] = set()
    waiting = [method]
    for each in waiting:
        for name in _used(program, each):
            if name in seen:
                continue
            seen.add(name)
            above = program.class_member(holder, name)
            if _node(above) is not _node(program.class_member(owner, name)):
                return True
            if isinstance(above, FunctionTarget) and above.scope.is_class:
                waiting.append(above)
    return False


def _used(program: Program, method: FunctionTarget) -> frozenset[str]:
    """The attributes of its object that a method names."""
    first = next(parameters(method.node), None)
    if first is None:
        return frozenset()
    itself = first[0].arg
    return program.remember(("of itself", method.node), lambda: frozenset(_names(method, itself)))


def _names(method: FunctionTarget, itself: str) -> Iterator[str]:
    for node in nodes_of(method.node):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == itself:
            yield node.attr


def _node(target: Target | None) -> object:
    return target.node if isinstance(target, FunctionTarget | ClassTarget | ValueTarget) else target
