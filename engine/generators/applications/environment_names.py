"""Reads what an application takes from the environment: by `os.environ`, settings classes, decouple or environ."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from engine.generators.applications.conftest_files import dotted

_OF_OS = frozenset({"os.getenv", "getenv", "os.environ.get", "environ.get"})
_ENVIRONS = frozenset({"os.environ", "environ"})
_READERS = {"decouple": "config", "environ": "env", "environs": "env", "starlette.config": "config"}
"""What modules call the reader that they have of a package."""
_CASTS = frozenset({"str", "int", "bool", "float", "list", "url", "db", "db_url", "dj_db_url"})


class Wanted(msgspec.Struct, frozen=True):
    """A variable of the environment: whether it has to be there, what stands for it otherwise, and its type."""

    name: str
    is_needed: bool
    default: str | None
    kind: str


def wanted(tree: ast.Module) -> Iterator[Wanted]:
    """The variables that a module asks for."""
    readers = _readers(tree)
    defaults = {
        id(each.values[0]): each.values[-1] for each in ast.walk(tree) if isinstance(each, ast.BoolOp)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(_is_settings(base) for base in node.bases):
            yield from _fields(node)
        elif isinstance(node, ast.Subscript) and dotted(node.value) in _ENVIRONS:
            name = _text(node.slice)
            if name and isinstance(node.ctx, ast.Load):
                yield Wanted(name, is_needed=True, default=None, kind="")
        elif isinstance(node, ast.Call) and node.args and (name := _text(node.args[0])):
            called = dotted(node.func)
            reader, _, cast = called.partition(".")
            if called in _OF_OS:
                default = node.args[1] if len(node.args) > 1 else defaults.get(id(node))
                yield Wanted(name, is_needed=False, default=_text(default), kind="")
            elif reader in readers and (not cast or cast in _CASTS):
                given = {each.arg: each.value for each in node.keywords}
                has_default = "default" in given or len(node.args) > 1
                default = given.get("default") or (node.args[1] if len(node.args) > 1 else None)
                kind = cast or dotted(given.get("cast", ast.Constant(None)))
                yield Wanted(name, is_needed=not has_default, default=_text(default), kind=kind)


def _readers(tree: ast.Module) -> set[str]:
    """The names by which a module reads its environment."""
    found = set()
    for node in ast.walk(tree):
        modules = (
            [each.name for each in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        found |= {_READERS[each] for each in modules if each in _READERS}
    return found


def _is_settings(base: ast.expr) -> bool:
    return dotted(base).rpartition(".")[2].endswith("Settings")


def _fields(settings: ast.ClassDef) -> Iterator[Wanted]:
    """The fields of a class of pydantic's settings, each by the name of its variable."""
    prefix = _prefix(settings)
    for node in settings.body:
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        value, named, kind = node.value, f"{prefix}{node.target.id}".upper(), ast.unparse(node.annotation)
        if "ClassVar" in kind:
            continue
        if isinstance(value, ast.Call) and dotted(value.func).rpartition(".")[2] == "Field":
            given = {each.arg: each.value for each in value.keywords}
            for key in ("env", "alias", "validation_alias"):
                named = _text(given.get(key)) or named
            value = given.get("default") or given.get("default_factory") or next(iter(value.args), None)
        is_needed = value is None or (isinstance(value, ast.Constant) and value.value is ...)
        yield Wanted(named, is_needed=is_needed, default=_text(value), kind=kind)


def _prefix(settings: ast.ClassDef) -> str:
    """What stands before the names of the variables of a settings class."""
    for node in ast.walk(settings):
        if isinstance(node, ast.keyword) and node.arg == "env_prefix":
            return _text(node.value) or ""
        if isinstance(node, ast.Assign) and dotted(node.targets[0]) == "env_prefix":
            return _text(node.value) or ""
    return ""


def _text(node: ast.expr | None) -> str | None:
    """The text that an expression is; of one that is put together, the part that it begins with."""
    if isinstance(node, ast.JoinedStr) and node.values:
        return _text(node.values[0])
    if isinstance(node, ast.BinOp):
        return _text(node.left)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
