"""The names that a piece of code reads, binds, changes and calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def loaded(tree: ast.AST) -> set[str]:
    """The names that a piece of code reads, but for arguments of its functions and variables of its comprehensions."""
    found: set[str] = set()
    waiting: list[tuple[ast.AST, frozenset[str]]] = [(tree, frozenset())]
    while waiting:
        node, own = waiting.pop()
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.AugAssign(target=ast.Name(id=name)) if (
                name not in own
            ):
                found.add(name)
        inner = own | _own_names(node)
        # Decorators and defaults are read where a function is defined.
        outside = [*getattr(node, "decorator_list", ()), getattr(node, "args", None)]
        waiting += [(each, own if each in outside else inner) for each in ast.iter_child_nodes(node)]
    return found


def _own_names(node: ast.AST) -> set[str]:
    """The names that only a function or a comprehension itself has."""
    if isinstance(node, _FUNCTIONS):
        body = node.body if isinstance(node.body, list) else []
        outer = {
            name
            for each in ast.walk(node)
            if isinstance(each, ast.Global | ast.Nonlocal)
            for name in each.names
        }
        local = {name for each in body for name in bound(each)} - outer
        return {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)} | local
    if isinstance(node, _COMPREHENSIONS):
        targets = (name for each in node.generators for name in ast.walk(each.target))
        return {each.id for each in targets if isinstance(each, ast.Name)}
    return set()


def bound(tree: ast.AST) -> set[str]:
    """The names that a piece of code binds, arguments and loop variables included."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.ExceptHandler(name=str() as name):
                names.add(name)
            case ast.Import(names=listed):
                names |= {each.asname or each.name.partition(".")[0] for each in listed}
            case ast.ImportFrom(names=listed):
                names |= {each.asname or each.name for each in listed}
    return names


def named(tree: ast.Module) -> set[str]:
    """The names that a piece of code binds for what comes after it: those inside of its functions are their own."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names: set[str] = set()
    for each in tree.body:
        own = {name for node in ast.walk(each) for name in _own_names(node)}
        names |= {each.name} if isinstance(each, inner) else bound(each) - own
    return names


def changed_names(tree: ast.Module) -> set[str]:
    """The names of what a piece of code sets or deletes an attribute or item of, outside of its own functions."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            root: ast.expr = node
            while isinstance(root, ast.Attribute | ast.Subscript):
                root = root.value
            found |= {root.id} if isinstance(root, ast.Name) else set()
    return found


def called_names(tree: ast.AST) -> Iterator[str]:
    """The names of the functions and methods that a piece of code calls, without what they are taken of."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "attr", "") or getattr(node.func, "id", "")


def is_import(tree: ast.Module) -> bool:
    """Whether a piece of code imports, and does nothing else."""
    return all(isinstance(each, ast.Import | ast.ImportFrom) for each in tree.body)
