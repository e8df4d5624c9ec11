"""What classes of the project write for a method that a class above them only declares."""

from __future__ import annotations

import ast

from ingest.web.program.methods import class_holding
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget
from ingest.web.syntax.bindings import Function

_MOST = 8


def implementations(program: Program, declared: FunctionTarget) -> list[FunctionTarget]:
    """The methods that are written for a declared one; nothing where there are too many to follow, or none."""
    holder = class_holding(declared)
    name = declared.node.name if isinstance(declared.node, Function) else ""
    if holder is None or not name:
        return []
    heirs = program.remember(("heirs of", holder.node), lambda: _heirs(program, holder))
    found = {}
    for heir in heirs:
        written = program.class_member(heir, name)
        if isinstance(written, FunctionTarget) and written.node is not declared.node:
            found[written.node] = written
    return list(found.values()) if len(found) <= _MOST else []


def _heirs(program: Program, holder: ClassTarget) -> list[ClassTarget]:
    """The classes below one, in its module and in those that import it, or a module with one of them."""
    found: dict[ast.AST, ClassTarget] = {}
    waiting, seen = [holder.scope.module], set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for each in (name, *program.importers_named((name,))):
            heirs = [heir for heir in _classes(program, each) if _is_below(program, heir, holder)]
            found.update({heir.node: heir for heir in heirs})
            waiting += [each] if heirs else []
    return list(found.values())


def _classes(program: Program, name: str) -> list[ClassTarget]:
    module = program.module(name)
    scopes = module.scope.descend() if module is not None else ()
    return [
        ClassTarget(scope.node, scope.parent)
        for scope in scopes
        if isinstance(scope.node, ast.ClassDef) and scope.parent is not None
    ]


def _is_below(program: Program, owner: ClassTarget, holder: ClassTarget) -> bool:
    above = program.ancestry(owner)[1:]
    return any(isinstance(each, ClassTarget) and each.node is holder.node for each in above)
