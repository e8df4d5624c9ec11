"""Where a program changes what it keeps: what is put into a list or dictionary, and the statements that may do it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ingest.web.constants.constants import constant
from ingest.web.program.program import Program
from ingest.web.program.targets import LoopTarget
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import children_of

_MAKERS = frozenset({"dict", "list", "defaultdict", "OrderedDict", "deque", "WeakValueDictionary"})
PUTS = {"append": 0, "add": 0, "appendleft": 0, "insert": 1, "setdefault": 1}
"""The methods that put one value in, and which of their arguments that is."""
_CHANGES = frozenset({*PUTS, "update", "extend", "pop", "clear", "popitem"})
_MOST = 60
Placed = tuple[ast.expr, Scope]


class Written(msgspec.Struct):
    """What is put into a store: whole values, fields that values are given later, and those taken from them.

    `merged` are objects whose fields are put into values. `open` tells that other things may be put in, which cannot
    be seen, `loose` that fields may be set whose names cannot.
    """

    values: list[Placed] = msgspec.field(default_factory=list)
    fields: dict[str, list[Placed | None]] = msgspec.field(default_factory=dict)
    removed: set[str] = msgspec.field(default_factory=set)
    merged: list[Placed] = msgspec.field(default_factory=list)
    open: bool = False
    loose: bool = False


def near(program: Program, home: str) -> list[Module]:
    """The modules that may reach what a module holds: itself, those that import it, and those that import these."""
    importers = program.importers_named((home,))
    names = sorted({home, *importers, *(program.importers_named(importers) if importers else ())})
    return [module for name in names if (module := program.module(name)) is not None]


def begin(found: Written, node: ast.expr | None, scope: Scope) -> None:
    """Notes what a store holds from the beginning, or is given in one go."""
    if isinstance(node, ast.Dict) and None not in node.keys:
        found.values += [(value, scope) for value in node.values]
    elif isinstance(node, ast.List):
        found.values += [(value, scope) for value in node.elts]
    elif not (isinstance(node, ast.Call) and not _filled(node)):
        found.open = True


def _filled(node: ast.Call) -> bool:
    made_by = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    return made_by not in _MAKERS or bool(node.keywords) or len(node.args) > (made_by == "defaultdict")


def named_values(
    program: Program, key: ast.expr, value: ast.expr, scope: Scope
) -> list[tuple[str, ast.expr]] | None:
    """The fields that `thing[key] = value` sets, one for each round of a loop over fixed names; None if not known."""
    name = constant(program, key, scope)
    if isinstance(name, str):
        return [(name, value)]
    target = program.resolve(key, scope)
    names = constant(program, target.iterable, target.scope) if isinstance(target, LoopTarget) else None
    if not isinstance(key, ast.Name) or not isinstance(names, list):
        return None
    if not all(isinstance(each, str) for each in names):
        return None
    return [(str(each), _in_round(value, key.id, str(each))) for each in names[:_MOST]]


def _in_round(value: ast.expr, variable: str, name: str) -> ast.expr:
    """`data[name]` as the round of a loop reads it in which the variable is this name."""
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Name) and value.slice.id == variable:
        key = ast.copy_location(ast.Constant(name), value.slice)
        return ast.copy_location(ast.Subscript(value.value, key, ast.Load()), value)
    return value


def is_container(node: ast.expr) -> bool:
    """Whether an expression makes a list or a dictionary that is empty, or holds what stands there."""
    return isinstance(node, ast.Dict | ast.List) or (isinstance(node, ast.Call) and not _filled(node))


def is_listing(node: ast.expr) -> bool:
    """Whether an expression makes a list."""
    return isinstance(node, ast.List) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("list", "deque")
    )


def changes_in(program: Program, module: Module) -> list[tuple[ast.AST, Scope]]:
    """The statements and calls of a module that may change what is kept, each with its scope."""
    return program.remember(("changes", module.name), lambda: list(_changes(module)))


def _changes(module: Module) -> Iterator[tuple[ast.AST, Scope]]:
    for scope in module.scope.descend():
        stack: list[ast.AST] = (
            list(getattr(scope.node, "body", [])) if not isinstance(scope.node, ast.Lambda) else []
        )
        while stack:
            node = stack.pop()
            if isinstance(node, Function | ast.ClassDef | ast.Lambda):
                continue
            if isinstance(node, ast.Assign | ast.Delete) or (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in _CHANGES
            ):
                yield node, scope
            stack.extend(children_of(node))
