"""Where a program changes what it keeps: what is put into a list or dictionary, and the statements that may do it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from ingest.web.bindings import Function
from ingest.web.modules import Module
from ingest.web.program import Program
from ingest.web.scopes import Scope

_MAKERS = frozenset({"dict", "list", "defaultdict", "OrderedDict", "deque", "WeakValueDictionary"})
PUTS = {"append": 0, "add": 0, "appendleft": 0, "insert": 1, "setdefault": 1}
"""The methods that put one value in, and which of their arguments that is."""
_CHANGES = frozenset({*PUTS, "update", "extend", "pop", "clear", "popitem"})
Placed = tuple[ast.expr, Scope]


@dataclass(slots=True)
class Written:
    """What is put into a store: whole values, fields that values are given later, and those taken from them.

    `open` tells that other things may be put in, which cannot be seen.
    """

    values: list[Placed] = field(default_factory=list)
    fields: dict[str, list[Placed | None]] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    open: bool = False


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


def is_container(node: ast.expr) -> bool:
    """Whether an expression makes a list or a dictionary that is empty, or holds what stands there."""
    return isinstance(node, ast.Dict | ast.List) or (isinstance(node, ast.Call) and not _filled(node))


def is_listing(node: ast.expr) -> bool:
    """Whether an expression makes a list."""
    return isinstance(node, ast.List) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("list", "deque")
    )


def changes(module: Module) -> Iterator[tuple[ast.AST, Scope]]:
    """The statements and calls of a module that may change what is kept, each with its scope."""
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
            stack.extend(ast.iter_child_nodes(node))
