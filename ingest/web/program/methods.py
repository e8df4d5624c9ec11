"""Methods: the class around them, the object that they are called on, and what they call above them."""

from __future__ import annotations

import ast

from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ParameterTarget, Target
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.scopes import Scope


def class_around(scope: Scope) -> ClassTarget | None:
    """The innermost class that a scope is, or lies in."""
    inner: Scope | None = scope
    while inner is not None:
        if isinstance(inner.node, ast.ClassDef) and inner.parent is not None:
            return ClassTarget(inner.node, inner.parent)
        inner = inner.parent
    return None


def class_holding(made: FunctionTarget) -> ClassTarget | None:
    """The class in whose body a method stands."""
    node, outside = made.scope.node, made.scope.parent
    return ClassTarget(node, outside) if isinstance(node, ast.ClassDef) and outside is not None else None


def owner_of_self(target: ParameterTarget) -> ClassTarget | None:
    """The class on whose objects a method is called, where this parameter stands for the object."""
    node, around = target.scope.node, target.scope.parent
    if not isinstance(node, Function) or around is None or not isinstance(around.node, ast.ClassDef):
        return None
    first = next(parameters(node), None)
    static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
    if first is None or first[0].arg != target.name or static or around.parent is None:
        return None
    return ClassTarget(around.node, around.parent)


def class_of_cls(target: ParameterTarget) -> ClassTarget | None:
    """The class that the first parameter of a class method stands for; None for any other parameter."""
    node = target.scope.node
    listed = node.decorator_list if isinstance(node, Function) else []
    named = any(isinstance(each, ast.Name) and each.id == "classmethod" for each in listed)
    return owner_of_self(target) if named else None


def is_super(node: ast.expr) -> bool:
    """Whether this is `super()`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def calls_above(method: Function) -> list[ast.Call]:
    """The calls of the same method of the classes above: `super().__init__(…)` in an `__init__`."""
    return [
        part
        for part in ast.walk(method)
        if isinstance(part, ast.Call)
        and isinstance(part.func, ast.Attribute)
        and part.func.attr == method.name
        and is_super(part.func.value)
    ]


def next_above(program: Program, made: FunctionTarget) -> Target:
    """The class after the one whose `__init__` this is, in the order in which Python asks them."""
    owner = class_around(made.body)
    above = program.ancestry(owner)[1:] if owner is not None else []
    for base in above:
        if isinstance(base, External) or (
            isinstance(base, ClassTarget) and program.class_member(base, "__init__") is not None
        ):
            return base
    return External("builtins.object")


def is_or_inherits(program: Program, target: ClassTarget, base: ClassTarget) -> bool:
    """Whether a class is this one of the project, or inherits from it."""
    return any(isinstance(c, ClassTarget) and c.node is base.node for c in program.ancestry(target))
