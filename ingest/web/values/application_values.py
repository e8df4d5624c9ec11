"""What applications keep for their handlers: `app["repo"] = Repo()`, `app.state.repo = Repo()`."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator

from ingest.web.constants.constants import text_of
from ingest.web.program.program import Program
from ingest.web.program.targets import External, ValueTarget
from ingest.web.syntax.scopes import Scope
from ingest.web.values.kept_places import Placed, changes_in

_PACKAGES = ("aiohttp", "fastapi", "starlette")
_HOLDERS = frozenset({"app", "config_dict", "application"})
_KEY = frozenset({"aiohttp.web.AppKey", "aiohttp.web_app.AppKey", "aiohttp.AppKey"})


def kept_name(program: Program, node: ast.expr, scope: Scope) -> Hashable | None:
    """What identifies a value that an application keeps; None for any other expression."""
    match node:
        case ast.Subscript(value=ast.Attribute(attr=owner) | ast.Name(id=owner)) if is_holder(
            program, owner, node.value, scope
        ):
            name = text_of(program, node.slice, scope)
            if name is not None:
                return ("app", name)
            target = program.resolve(node.slice, scope)
            known = isinstance(target, ValueTarget) and target.node is not None
            return ("app", target.node) if known and isinstance(target, ValueTarget) else ("app", None)
        case ast.Attribute(value=ast.Attribute(attr="state"), attr=name):
            return ("state", name)
    return None


def is_holder(program: Program, name: str, node: ast.expr, scope: Scope) -> bool:
    """Whether an expression, whose last name this is, is an application: by its name, or as what it was made."""
    if name in _HOLDERS:
        return True
    target = program.resolve(node, scope) if isinstance(node, ast.Name) else None
    made = target.node if isinstance(target, ValueTarget) else None
    if not isinstance(target, ValueTarget) or not isinstance(made, ast.Call):
        return False
    called = program.resolve(made.func, target.scope)
    return isinstance(called, External) and called.root == "aiohttp" and called.name == "Application"


def kept_values(program: Program, name: Hashable) -> list[Placed]:
    """All that the program keeps under this name; empty where nothing of it can be seen."""
    table = program.remember(("kept by applications",), lambda: _table(program))
    return table.get(name, [])


def annotation_of_key(program: Program, node: ast.expr, scope: Scope) -> Placed | None:
    """The type that `AppKey("repo", Repo)` names for what an application keeps under it."""
    if not isinstance(node, ast.Subscript):
        return None
    target = program.resolve(node.slice, scope)
    made = target.node if isinstance(target, ValueTarget) else None
    if not isinstance(target, ValueTarget) or not isinstance(made, ast.Call) or len(made.args) != 2:
        return None
    called = program.resolve(made.func, target.scope)
    is_key = isinstance(called, External) and called.dotted in _KEY
    return (made.args[1], target.scope) if is_key else None


def _table(program: Program) -> dict[Hashable, list[Placed]]:
    found: dict[Hashable, list[Placed]] = {}
    for name, placed in _set(program):
        found.setdefault(name, []).append(placed)
    return found


def _set(program: Program) -> Iterator[tuple[Hashable, Placed]]:
    for module in program.importers(_PACKAGES):
        for node, scope in changes_in(program, module):
            for target in node.targets if isinstance(node, ast.Assign) else []:
                name = kept_name(program, target, scope) if isinstance(node, ast.Assign) else None
                if name is not None and isinstance(node, ast.Assign):
                    yield name, (node.value, scope)
