"""Finds in the text of stub or code what a report speaks of, with `ast` alone."""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path

from benchmarks.stubs.corpus import Pair
from benchmarks.stubs.targets import FunctionNode, bound_names

_NOT_OUTSIDE = sys.stdlib_module_names | {"typing_extensions", "_typeshed"}

_MOST_IMPORTS = 3


def function_named(body: list[ast.stmt] | None, name: str) -> FunctionNode | None:
    """The first function of a name directly in a body."""
    return next((node for node in body or [] if isinstance(node, FunctionNode) and node.name == name), None)


def is_module(pair: Pair, name: str) -> bool:
    """Whether the code has a module of this name."""
    place = pair.runtime.joinpath(*name.split("."))
    return place.with_suffix(".py").is_file() or place.is_dir()


def is_outside(pair: Pair, symbol: str, node: ast.expr, *, stub: bool = False) -> bool:
    """Whether what an expression names is imported from neither the package nor the standard library."""
    head = ast.unparse(node).partition("[")[0].partition(".")[0]
    for statement in ast.walk(ast.Module(module_body(pair, symbol, stub=stub) or [], [])):
        if isinstance(statement, ast.ImportFrom) and not statement.level:
            if head in {alias.asname or alias.name for alias in statement.names}:
                root = (statement.module or "").partition(".")[0]
                return root != pair.module and root not in _NOT_OUTSIDE
        elif isinstance(statement, ast.Import):
            for alias in statement.names:
                if head == (alias.asname or alias.name.partition(".")[0]):
                    root = alias.name.partition(".")[0]
                    return root != pair.module and root not in _NOT_OUTSIDE
    return False


def body_around(pair: Pair, symbol: str, *, stub: bool = False, followed: int = 0) -> list[ast.stmt] | None:
    """The statements of the module or class that a name belongs to; None where the code, or the stub, has no such.

    A class that the module imports from another of the package is looked for there.
    """
    body, owners = _module(pair, symbol, stub=stub)
    if owners and body is not None and followed < _MOST_IMPORTS:
        origin = _origin(body, symbol, owners, stub=stub, pair=pair)
        if origin is not None:
            return body_around(pair, origin, stub=stub, followed=followed + 1)
    for owner in owners:
        classes = [node for node in ast.walk(ast.Module(body or [], [])) if isinstance(node, ast.ClassDef)]
        named = [node for node in classes if node.name == owner]
        if len(named) != 1:
            return None if named else []
        body = named[0].body
    return body


def owning_class(pair: Pair, symbol: str, *, stub: bool) -> ast.ClassDef | None:
    """The only class of its name that a name belongs to; None for names of modules."""
    body, owners = _module(pair, symbol, stub=stub)
    nodes = ast.walk(ast.Module(body or [], [])) if owners else ()
    named = [node for node in nodes if isinstance(node, ast.ClassDef) and node.name == owners[-1]]
    return named[0] if len(named) == 1 else None


def module_body(pair: Pair, symbol: str, *, stub: bool = False) -> list[ast.stmt] | None:
    """The statements of the module that a name lies in; None where the code, or the stub, has no such."""
    return _module(pair, symbol, stub=stub)[0]


def _origin(body: list[ast.stmt], symbol: str, owners: list[str], *, stub: bool, pair: Pair) -> str | None:
    """The symbol as the module spells it from which the outermost class around it is imported, if it is."""
    names = symbol.split(".")
    module = names[: -len(owners) - 1]
    root = pair.stubs if stub else pair.runtime
    package = module if root.joinpath(*module).is_dir() else module[:-1]
    for statement in body:
        if not isinstance(statement, ast.ImportFrom):
            continue
        above = package[: len(package) - statement.level + 1] if statement.level else []
        target = [*filter(None, [*above, *(statement.module or "").split(".")])]
        for alias in statement.names:
            if (alias.asname or alias.name) == owners[0]:
                return ".".join([*target, alias.name, *owners[1:], names[-1]])
            whole = ".".join([*target, *owners, names[-1]])
            starred = module_body(pair, whole, stub=stub) if alias.name == "*" and whole != symbol else None
            if owners[0] in bound_names(starred or []) and owners[0] not in bound_names(body):
                return whole
    return None


def _module(pair: Pair, symbol: str, *, stub: bool) -> tuple[list[ast.stmt] | None, list[str]]:
    """The statements of the module that a name lies in, and the classes in it around the name."""
    parts = symbol.split(".")
    root, suffix = (pair.stubs, ".pyi") if stub else (pair.runtime, ".py")
    for length in range(len(parts) - 1, 0, -1):
        place = root.joinpath(*parts[:length])
        file = next(
            (f for f in (place.with_suffix(suffix), place / f"__init__{suffix}") if f.is_file()), None
        )
        if file is not None:
            body = parsed(file)
            return body, [] if body is None else parts[length:-1]
    return None, []


@cache
def parsed(file: Path) -> list[ast.stmt] | None:
    """The statements of a file, which nobody changes; None where it is no Python."""
    try:
        return ast.parse(file.read_text(encoding="utf-8")).body
    except (SyntaxError, UnicodeDecodeError):
        return None


def base_names(class_: ast.ClassDef) -> set[str]:
    """The last components of what a class derives from."""
    return {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in class_.bases}


def with_heirs(classes: set[str], bases: dict[str, set[str]]) -> frozenset[str]:
    """Classes by their names, with all that derive from them."""
    while added := {name for name, above in bases.items() if name not in classes and above & classes}:
        classes |= added
    return frozenset(classes)
