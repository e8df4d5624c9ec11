"""Where a project calls its own functions and classes, and what all of these calls give."""

from __future__ import annotations

import ast
from typing import TypeAlias

from ingest.web.program.calls import given_for, has_stars
from ingest.web.program.methods import class_holding
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget, ParameterTarget, Target
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope

Placed: TypeAlias = tuple[ast.expr, Scope]


def calls_of(program: Program, called: FunctionTarget | ClassTarget) -> list[tuple[ast.Call, Scope]]:
    """The calls of a function or class in its own module and in those that import it or a package around it."""

    def found() -> list[tuple[ast.Call, Scope]]:
        return [
            (call, inner)
            for scope in _scopes_that_name(program, called)
            for call, inner in _calls_in(program, scope).get(getattr(called.node, "name", ""), ())
            if _same(program.resolve(call.func, inner), called)
        ]

    with program.aside():
        return program.remember(("calls of", called.node), found)


def _calls_of_method(program: Program, called: FunctionTarget) -> list[tuple[ast.Call, Scope]]:
    """As `calls_of`; of a method also the calls of its name on objects of which it is not known what they are."""
    if not called.scope.is_class:
        return calls_of(program, called)

    def found() -> list[tuple[ast.Call, Scope]]:
        calls = [
            (call, inner, program.resolve(call.func, inner))
            for scope in _scopes_that_name(program, called)
            for call, inner in _calls_in(program, scope).get(getattr(called.node, "name", ""), ())
        ]
        return [(call, inner) for call, inner, target in calls if target is None or _same(target, called)]

    with program.aside():
        return program.remember(("calls of method", called.node), found)


def _calls_in(program: Program, scope: Scope) -> dict[str, list[tuple[ast.Call, Scope]]]:
    """The calls that a module makes, by the last part of the name of what is called."""

    def found() -> dict[str, list[tuple[ast.Call, Scope]]]:
        calls: dict[str, list[tuple[ast.Call, Scope]]] = {}
        for inner in scope.descend():
            for call in inner.calls:
                calls.setdefault(last_name(call.func), []).append((call, inner))
        return calls

    return program.remember(("calls in", scope.node), found)


def _scopes_that_name(program: Program, called: FunctionTarget | ClassTarget) -> list[Scope]:
    """The modules in which something of the project may be called: its own, and those that import it."""
    scope = called.scope
    parts = scope.module.split(".")
    around = [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
    # A script imports what lies beside it by a shorter name.
    beside = [".".join(parts[count:]) for count in range(1, len(parts))]
    importers = program.importers_named(around) or program.importers_named(beside)
    names = dict.fromkeys([scope.module, *importers])
    modules = [program.module(name) for name in names if called.node.name in program.text(name)]  # type: ignore[union-attr]  # lambdas are not asked for
    return [module.scope for module in modules if module is not None]


def has_heirs(program: Program, owner: ClassTarget) -> bool:
    """Whether a class of the project derives from this one: its objects are made by calls of another name."""

    def found() -> bool:
        return any(
            _names(base, owner) and _same(program.resolve(base, inner.parent), owner)
            for scope in _scopes_that_name(program, owner)
            for inner in scope.descend()
            if isinstance(inner.node, ast.ClassDef) and inner.parent is not None
            for base in inner.node.bases
        )

    with program.aside():
        return program.remember(("heirs of", owner.node), found)


def _names(node: ast.expr, called: FunctionTarget | ClassTarget) -> bool:
    return last_name(node) == getattr(called.node, "name", "")


def _same(found: Target | None, called: FunctionTarget | ClassTarget) -> bool:
    return isinstance(found, FunctionTarget | ClassTarget) and found.node is called.node


def given_by_all(program: Program, target: ParameterTarget) -> Placed | None:
    """The one thing that all calls of an undecorated function give for a parameter, see `all_given`."""
    placed = all_given(program, target)
    if not placed or not all(_alike(each, placed[0]) for each in placed):
        return None
    program.saw(placed[0][1].path)
    return placed[0]


def all_given(program: Program, target: ParameterTarget) -> list[Placed] | None:
    """What the calls of an undecorated function give for a parameter, its default where there are none.

    Of an `__init__` these are the calls of its class, of another method those of its name on any object, as long as no
    other class derives from its own.
    """
    node, outside = target.scope.node, target.scope.parent
    if not isinstance(node, Function) or node.decorator_list or outside is None:
        return None
    function = FunctionTarget(node, outside)
    called: FunctionTarget | ClassTarget = function
    if outside.is_class:
        owner = class_holding(function)
        if owner is None or has_heirs(program, owner):
            return None
        called = owner if node.name == "__init__" else function
    placed: list[Placed] = []
    for call, scope in (
        _calls_of_method(program, function) if called is function else calls_of(program, called)
    ):
        value, inner = given_for(target, function, call, scope)
        if has_stars(call) or value is None:
            return None
        placed.append((value, inner))
    if not placed and target.default is not None:
        placed = [(target.default, outside)]
    return placed


def _alike(first: Placed, second: Placed) -> bool:
    same_text = ast.dump(first[0]) == ast.dump(second[0])
    return same_text and (first[1] is second[1] or isinstance(first[0], ast.Constant))
