"""Tables of an application's own settings, which the project's settings may overrule: `_SETTINGS.get("NAME")`, or
`app_settings.NAME` of an object that is made of such a table."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, TypeAlias

from ingest.web.constants.outside_values import SETTINGS, setting
from ingest.web.program.functions import is_property, returned
from ingest.web.program.methods import class_around
from ingest.web.program.program import Program
from ingest.web.program.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    ParameterTarget,
    Target,
    ValueTarget,
)
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.scopes import Scope

_GETATTR: Final = External("builtins.getattr")
_LAZY: Final = {"LazyObject", "SimpleLazyObject"}
_DEPTH: Final = 6
_Entry: TypeAlias = tuple[ast.expr, Scope]


def entry_asked(program: Program, node: ast.expr, scope: Scope, depth: int = 0) -> _Entry | None:
    """The expression that `TABLE.get("NAME", default)` gives of a table that a module writes down: what the project's
    settings have in the table's place, else the entry, else the default; None for any other call."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=owner, attr="get"),
            args=[asked, *rest],
            keywords=[],
        ) if depth < _DEPTH:
            target = program.resolve(asked, scope)
            known = isinstance(target, ValueTarget) and isinstance(target.node, ast.Constant)
            key = target.node.value if known else None  # type: ignore[union-attr]  # it is known then
            if not isinstance(key, str):
                return None
            tables = list(_tables(program, owner, scope, depth))
            for table, place in tables:
                if (value := _entry(table, key)) is not None:
                    return value, place
            closed = tables and all(None not in table.keys for table, _ in tables)
            return (rest[0], scope) if rest and closed else None
    return None


def entry_held(program: Program, call: ast.Call, name: str, scope: Scope) -> _Entry | None:
    """The expression that an object hands out under a name which is made of a table with that name, as REST framework's
    `APISettings(user_settings, DEFAULTS)`: what the project's settings have in the table's place, else the entry."""
    given = [*call.args, *(each.value for each in call.keywords)]
    for table in given:
        target = program.resolve(table, scope) if isinstance(table, ast.Name | ast.Attribute) else None
        found = target.node if isinstance(target, ValueTarget) else table
        if not isinstance(found, ast.Dict) or (entry := _entry(found, name)) is None:
            continue
        place = target.scope if isinstance(target, ValueTarget) else scope
        asking = (
            *_overruling(program, scope),
            *_asked_for(program, given, scope),
            *_asked_within(program, call, scope),
        )
        for overruling, said in asking:
            if (value := _entry(overruling, name)) is not None:
                return value, said
        return entry, place
    return None


def made_later(program: Program, call: ast.Call, scope: Scope) -> tuple[ast.Call, Scope]:
    """What an object of Django's `LazyObject` wraps when it is first asked (`self._wrapped = Settings(DEFAULTS)`); any
    other call as it is."""
    made = program.resolve(call.func, scope)
    if not isinstance(made, ClassTarget) or not program.is_a(made, {"django"}, _LAZY):
        return call, scope
    setup = program.class_member(made, "_setup")
    for statement in ast.walk(setup.node) if isinstance(setup, FunctionTarget) else ():
        match statement:
            case ast.Assign(targets=[ast.Attribute(attr="_wrapped")], value=ast.Call() as wrapped):
                assert isinstance(setup, FunctionTarget), "its statements are walked"
                return wrapped, setup.body
    return call, scope


def _asked_within(program: Program, call: ast.Call, scope: Scope) -> Iterator[tuple[ast.Dict, Scope]]:
    """The tables of the project's settings that an object asks for when it is made."""
    made = program.resolve(call.func, scope)
    begun = program.class_member(made, "__init__") if isinstance(made, ClassTarget) else None
    if isinstance(begun, FunctionTarget):
        yield from _overruling(program, begun.body)


def names_classes(program: Program, call: ast.Call, name: str, scope: Scope) -> bool:
    """Whether an object of settings is told to load what stands under a name (`APISettings(…, IMPORT_STRINGS)`)."""
    for each in (*call.args, *(each.value for each in call.keywords)):
        target = program.resolve(each, scope) if isinstance(each, ast.Name | ast.Attribute) else None
        listed = target.node if isinstance(target, ValueTarget) else each
        if isinstance(listed, ast.List | ast.Tuple | ast.Set) and any(
            isinstance(item, ast.Constant) and item.value == name for item in listed.elts
        ):
            return True
    return False


def _asked_for(program: Program, given: list[ast.expr], scope: Scope) -> Iterator[tuple[ast.Dict, Scope]]:
    """The tables of the project's settings that functions ask for whose results are given."""
    for each in given:
        asking = program.resolve(each.func, scope) if isinstance(each, ast.Call) else None
        if isinstance(asking, FunctionTarget):
            yield from _overruling(program, asking.body)


def _tables(program: Program, node: ast.expr, scope: Scope, depth: int) -> Iterator[tuple[ast.Dict, Scope]]:
    """The dictionary of a module that an expression stands for, after those that the project's settings put over it."""
    if (giving := _giving(program, node, scope)) is not None:
        yield from _given_by(program, giving)
        return
    if isinstance(node, ast.Name | ast.Attribute):
        target = program.resolve(node, scope)
        if not isinstance(target, ValueTarget) or not isinstance(target.scope.node, ast.Module):
            return
        found: tuple[ast.expr | None, Scope] | None = (target.node, target.scope)
    else:
        found = node, scope
    if (
        found is not None
        and isinstance(found[0], ast.Call)
        and (said := _table_said(program, found[0], found[1]))
    ):
        yield from said
        return
    if found is not None and isinstance(found[0], ast.Call):
        found = entry_asked(program, found[0], found[1], depth + 1)
    if found is not None and isinstance(found[0], ast.Dict):
        yield from _overruling(program, found[1])
        yield found[0], found[1]


def _table_said(program: Program, call: ast.Call, scope: Scope) -> list[tuple[ast.Dict, Scope]]:
    """The table that `getattr(settings, "SHOP", {})` asks for: that of the project's settings, else the one given."""
    match call.args:
        case [owner, asked, ast.Dict() as usual] if (
            program.resolve(call.func, scope) == _GETATTR and program.resolve(owner, scope) == SETTINGS
        ):
            said = setting(program, name) if (name := _named(program, asked, scope)) else True
            if isinstance(said, tuple):
                return [(said[0], said[1])] if isinstance(said[0], ast.Dict) else []
            return [] if said else [(usual, scope)]
    return []


def _giving(program: Program, node: ast.expr, scope: Scope) -> FunctionTarget | None:
    """The function that is called without arguments, or the property of `self` that is asked, for a table."""
    made: Target | None = None
    if isinstance(node, ast.Call) and not node.args and not node.keywords:
        made = program.resolve(node.func, scope)
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        around = class_around(scope)
        first = next(parameters(scope.node), None) if isinstance(scope.node, Function) else None
        if around is not None and first is not None and first[0].arg == node.value.id:
            made = program.class_member(around, node.attr)
            made = made if isinstance(made, FunctionTarget) and is_property(made.node) else None
    return made if isinstance(made, FunctionTarget) and isinstance(made.node, Function) else None


def _given_by(program: Program, made: FunctionTarget) -> Iterator[tuple[ast.Dict, Scope]]:
    """The tables that a function gives: of the settings, and what stands where they have none. One of which only a run
    can tell what it has is shown as one with further entries."""
    for value, place in returned(made):
        target = program.resolve(value, place) if isinstance(value, ast.Name) else ValueTarget(value, place)
        found, inner = (target.node, target.scope) if isinstance(target, ValueTarget) else (None, place)
        if isinstance(found, ast.Call) and len(found.args) == 3:
            known = (
                program.resolve(found.func, inner) == _GETATTR
                and program.resolve(found.args[0], inner) == SETTINGS
            )
            name = _named(program, found.args[1], inner) if known else None
            said = setting(program, name) if name is not None else True
            found, inner = said if isinstance(said, tuple) else (None if said else found.args[2], inner)
        closed = ast.Dict([None], [value])
        yield (found, inner) if isinstance(found, ast.Dict) else (ast.copy_location(closed, value), place)


def _overruling(program: Program, scope: Scope) -> Iterator[tuple[ast.Dict, Scope]]:
    """The tables of the project's settings that a module asks for: `getattr(settings, "SHOP", {})`."""
    for call in scope.calls:
        match call.args:
            case [owner, asked, ast.Dict() | ast.Constant(value=None)] if (
                program.resolve(call.func, scope) == _GETATTR and program.resolve(owner, scope) == SETTINGS
            ):
                said = setting(program, name) if (name := _named(program, asked, scope)) else False
                if isinstance(said, tuple) and isinstance(said[0], ast.Dict):
                    yield said[0], said[1]


def _named(program: Program, asked: ast.expr, scope: Scope) -> str | None:
    """The name of a setting: a text, a name for one, or the default of a parameter that nobody gives."""
    target = program.resolve(asked, scope)
    if target is None and isinstance(asked, ast.Attribute) and (around := class_around(scope)) is not None:
        target = program.class_member(around, asked.attr)
    if isinstance(target, ParameterTarget):
        asked = target.default or asked
    elif isinstance(target, ValueTarget) and target.node is not None:
        asked = target.node
    return asked.value if isinstance(asked, ast.Constant) and isinstance(asked.value, str) else None


def _entry(table: ast.Dict, key: str) -> ast.expr | None:
    for name, value in zip(reversed(table.keys), reversed(table.values), strict=True):
        if isinstance(name, ast.Constant) and name.value == key:
            return value
    return None
