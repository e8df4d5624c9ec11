"""Entry points of the project itself, as its code asks for them: `for entry in entry_points(group="shop.routers"):`."""

from __future__ import annotations

import ast
import re

from ingest.web.program.calls import argument
from ingest.web.program.functions import own_statements, returned
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ValueTarget
from ingest.web.syntax.naming import name_at
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.symbol_table import Loop

_ASKING = frozenset({"importlib.metadata.entry_points", "importlib_metadata.entry_points"})
_ITERATING = External("pkg_resources.iter_entry_points")
_VALUE = re.compile(r"([\w.]+)\s*:\s*([\w.]+)")
_CLASS = """
class EntryPoint:
    name = {name!r}
    group = {group!r}
    value = {value!r}
    @staticmethod
    def load():
        from {module} import {first}
        return {path}
"""
"""What an entry point is to the code that asks for it, in Python."""


def entry_points_in(program: Program, node: ast.Call, scope: Scope) -> list[tuple[ast.expr, Scope]] | None:
    """Each entry point of the project that a call asks for, as a name of its own; None for any other call."""
    group = _group(program, node, scope)
    if group is None:
        return None
    found: list[tuple[ast.expr, Scope]] = []
    for name, value in program.entry_points(group):
        named = _VALUE.match(value)
        if named is None or program.module(named[1]) is None:
            continue
        path = named[2]
        text = _CLASS.format(
            name=name, group=group, value=value, module=named[1], first=path.partition(".")[0], path=path
        )
        (made,) = ast.parse(text).body
        assert isinstance(made, ast.ClassDef), "this is what was written"
        place = scope.round({made.name: ClassTarget(made, scope)})
        found.append((name_at(made.name, node), place))
    return found


def with_loaded(program: Program, scope: Scope, loop: Loop) -> Scope:
    """A round of a loop over entry points that knows what its body loads: `router = entry.load()`."""
    for statement in own_statements(loop.body):
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Attribute(value=ast.Name(), attr="load") as loading, args=[]),
            ):
                load = program.resolve(loading, scope)
                made = isinstance(load, FunctionTarget) and load.qualified.endswith("EntryPoint.load")
                loaded = (
                    program.resolve(*returned(load)[0]) if isinstance(load, FunctionTarget) and made else None
                )
                scope = scope.round({name: loaded}) if loaded is not None else scope
    return scope


def _group(program: Program, node: ast.Call, scope: Scope) -> str | None:
    """The group that a call asks for: `entry_points(group=…)`, `entry_points().select(group=…)`, `….get(…)`."""
    called = program.resolve(node.func, scope)
    written: ast.expr | None = None
    if called == _ITERATING:
        written = argument(node, 0, "group")
    elif isinstance(called, External) and called.dotted in _ASKING:
        written = argument(node, None, "group")
    elif isinstance(node.func, ast.Attribute) and node.func.attr in ("select", "get"):
        around = node.func.value
        asked = program.resolve(around.func, scope) if isinstance(around, ast.Call) else None
        if isinstance(asked, External) and asked.dotted in _ASKING:
            written = argument(node, 0 if node.func.attr == "get" else None, "group")
    target = program.resolve(written, scope)
    text = target.node if isinstance(target, ValueTarget) else None
    return text.value if isinstance(text, ast.Constant) and isinstance(text.value, str) else None
