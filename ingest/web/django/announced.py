"""URLconfs that a project announces to an installed package, which routes them: by an object of a class of that package
that includes what it is given (`UrlHook(urls, "maps", r"^maps/")`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, FunctionTarget
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of

_PATHS = frozenset({"path", "re_path"})


class Announced(msgspec.Struct, frozen=True):
    """A URLconf (`included`) that a project hands to a package below a route; `way` is how that is routed."""

    way: str
    route: ast.expr
    included: ast.expr
    call: ast.Call
    scope: Scope


def announced(program: Program, package: str) -> Iterator[Announced]:
    """What the modules of a project announce to an installed package."""
    for name in program.importers_named((package,)):
        module = program.module(name)
        for scope in module.scope.descend() if module is not None else ():
            for call in scope.calls:
                if (found := _of(program, call, scope, package)) is not None:
                    yield found


def _of(program: Program, call: ast.Call, scope: Scope, package: str) -> Announced | None:
    if not last_name(call.func)[:1].isupper():
        return None
    place = program.place(call, scope)
    target = program.outside.lead(program, program.resolve(call.func, scope), place)
    if not isinstance(target, ClassTarget) or not program.is_outside(target.scope):
        return None
    made = program.class_member(target, "__init__")
    if not isinstance(made, FunctionTarget) or not isinstance(made.node, Function):
        return None
    names = [each.arg for each, _ in parameters(made.node)]
    for part in nodes_of(made.node):
        match part:
            case ast.Call(
                func=ast.Name(id=way),
                args=[
                    ast.Name(id=route),
                    ast.Call(func=ast.Name(id="include"), args=[ast.Name(id=urls), *_]),
                ],
            ) if way in _PATHS and route in names and urls in names:
                given = [argument(call, names.index(each) - 1, each) for each in (route, urls)]
                if given[0] is not None and given[1] is not None:
                    return Announced(way, given[0], given[1], call, scope)
    return None
