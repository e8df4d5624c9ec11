"""The names that a piece of code reads, binds, changes and calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def loaded(tree: ast.AST) -> set[str]:
    """The names that a piece of code reads."""
    return {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    } | {
        node.target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    }


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
        names |= {each.name} if isinstance(each, inner) else bound(each)
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
