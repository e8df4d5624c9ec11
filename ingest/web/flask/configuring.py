"""Which modules configure a Flask application: those of `app.config.from_object(…)`, which import nothing of Flask."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ingest.web.constants.configured import followed
from ingest.web.constants.constants import entries, setting_of
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, ModuleTarget, ParameterTarget, Target, ValueTarget
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope

_METHOD = "from_object"
_DEPTH = 8


def configuring(program: Program, modules: Iterable[Module]) -> list[Module]:
    """The modules of the objects that the given modules configure applications from, with those of their bases."""
    found: dict[str, Module] = {}
    for module in modules:
        if f".{_METHOD}(" not in program.text(module.name):
            continue
        for scope in module.scope.descend():
            for call in scope.calls:
                if isinstance(call.func, ast.Attribute) and call.func.attr == _METHOD and call.args:
                    found.update((each.name, each) for each in _of(program, call.args[0], scope))
    return list(found.values())


def _of(program: Program, node: ast.expr, scope: Scope, depth: int = 0) -> Iterator[Module]:
    """The modules of one object, or of each that a table has to choose from."""
    if depth > _DEPTH:
        return
    dotted = setting_of(program, node, scope)
    if dotted is not None:
        # `package.module.Class` or `package.module`.
        named = program.module(dotted)
        if named is None:
            above, _, name = dotted.rpartition(".")
            owner = program.module(above)
            yield from _around(program, program.member(owner, name), depth) if owner is not None else ()
        else:
            yield named
        return
    if isinstance(node, ast.Subscript):
        for _, value, inner in entries(program, node.value, scope) or []:
            yield from _of(program, value, inner, depth + 1)
        return
    yield from _around(program, program.resolve(node, scope), depth)


def _around(program: Program, target: Target | None, depth: int) -> Iterator[Module]:
    match target:
        case ModuleTarget():
            yield target.module
        case ParameterTarget():
            given = followed(program, target)
            yield from _of(program, *given, depth + 1) if given is not None else ()
        case ClassTarget():
            for base in program.ancestry(target):
                module = program.module(base.scope.module) if isinstance(base, ClassTarget) else None
                if module is not None:
                    yield module
        case ValueTarget(node=ast.Call(func=made), scope=scope):
            yield from _around(program, program.resolve(made, scope), depth)
        case ValueTarget(node=ast.Subscript() as part, scope=scope):
            yield from _of(program, part, scope, depth + 1)
