"""The statuses that a handler of exceptions takes from these: `status=exc.http_status`, of the classes it asks for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Final

from ingest.web.constants.constants import status_of, status_of_target
from ingest.web.drf.views import REST
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.syntax.bindings import Function

_DEPTH: Final = 6


def statuses_given(
    program: Program,
    handler: FunctionTarget,
    node: ast.expr,
    made: dict[str, list[ast.expr]],
    depth: int = 0,
) -> set[str] | None:
    """The statuses that an expression of a handler may stand for; None where they cannot all be known. `made` are the
    values of its variables."""
    status = status_of(program, node, handler.body)
    if status is not None:
        return {str(status)}
    if depth > _DEPTH:
        return None
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            return _together(statuses_given(program, handler, n, made, depth + 1) for n in (body, orelse))
        case ast.Name(id=name) if name in made:
            return _together(statuses_given(program, handler, n, made, depth + 1) for n in made[name])
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == _exception(handler):
            return _of_attribute(program, handler, node, attribute)
        case ast.Call(
            func=ast.Name(id="getattr"), args=[ast.Name(id=name), ast.Constant(value=str(attribute)), other]
        ):
            own = _of_attribute(program, handler, node, attribute) if name == _exception(handler) else None
            usual = statuses_given(program, handler, other, made, depth + 1)
            return own | usual if own is not None and usual is not None else None
    return None


def _together(parts: Iterable[set[str] | None]) -> set[str] | None:
    found: set[str] = set()
    for part in parts:
        if part is None:
            return None
        found |= part
    return found


def _exception(handler: FunctionTarget) -> str:
    """The name under which a handler is given the exception."""
    arguments = handler.node.args.args if isinstance(handler.node, Function) else []
    return arguments[0].arg if arguments else ""


def _of_attribute(
    program: Program, handler: FunctionTarget, node: ast.expr, attribute: str
) -> set[str] | None:
    """What an attribute of the exception may be for the classes that are asked for around an expression."""
    asked = _asked(handler, node)
    classes = [program.resolve(each, handler.body) for each in asked]
    found: set[str] = set()
    for target in classes:
        if isinstance(target, External) and target.root == REST and attribute == "status_code":
            # What the framework raises by itself has the statuses that each operation may give anyway.
            continue
        own = _of_class(program, target, attribute) if isinstance(target, ClassTarget) else None
        if own is None:
            return None
        found |= own
    return found if classes else None


def _asked(handler: FunctionTarget, node: ast.expr) -> list[ast.expr]:
    """The classes of which the exception is one where an expression stands, by the innermost condition that asks."""
    asked: list[ast.expr] = []
    for part in ast.walk(handler.node):
        if not isinstance(part, ast.If) or not any(node is each for s in part.body for each in ast.walk(s)):
            continue
        match part.test:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kinds]):
                several = list(kinds.elts) if isinstance(kinds, ast.Tuple) else [kinds]
                asked = several if name == _exception(handler) else asked
    return asked


def _of_class(program: Program, target: ClassTarget, attribute: str) -> set[str] | None:
    """What an attribute is for a class of the project and all that inherit from it; None where one keeps another."""
    found: set[str] = set()
    for each in (target, *_heirs(program, target)):
        if any(isinstance(base, ClassTarget) and _keeps(base, attribute) for base in program.ancestry(each)):
            return None
        status = status_of_target(program, program.class_member(each, attribute))
        if status is None:
            return None
        found.add(str(status))
    return found


def _keeps(owner: ClassTarget, attribute: str) -> bool:
    """Whether a method of a class gives its objects an attribute of this name."""
    return any(
        isinstance(part, ast.Attribute) and part.attr == attribute and isinstance(part.ctx, ast.Store)
        for part in ast.walk(owner.node)
    )


def _heirs(program: Program, target: ClassTarget) -> Iterator[ClassTarget]:
    """The classes of the project that inherit from one, in its own module and in those that import that one."""
    waiting = [target]
    seen = {target.qualified}
    while waiting:
        above = waiting.pop()
        module = program.module_of(above.scope)
        wanted = re.compile(rf"^\s*class (\w+)\([^)]*\b{above.node.name}\b", re.MULTILINE)
        names = {module.name, *program.importers_named((module.name,))} if module is not None else set()
        for name in sorted(names):
            for found in wanted.findall(program.text(name)):
                place = program.module(name)
                heir = program.member(place, found) if place is not None else None
                if isinstance(heir, ClassTarget) and heir.qualified not in seen:
                    seen.add(heir.qualified)
                    waiting.append(heir)
                    yield heir
