"""Which names of a file mean what the package defines, and which something of the same name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.healing.sources import FunctionNode, Sources, parse


class Use(NamedTuple):
    """One name in an expression, with whether an enclosing function binds it itself."""

    node: ast.Name
    is_shadowed: bool


def uses(sources: Sources, path: str, text: str) -> Iterator[Use]:
    """All names of a file. What a function imports from the package is not bound by it but by the package."""
    yield from _walk(parse(text), frozenset(), sources, path)


def _walk(node: ast.AST, hidden: frozenset[str], sources: Sources, path: str) -> Iterator[Use]:
    if isinstance(node, FunctionNode | ast.Lambda):
        arguments = node.args
        outside: list[ast.AST] = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        outside += [each.annotation for each in every if each.annotation is not None]
        if isinstance(node, FunctionNode):
            outside += [*node.decorator_list, *filter(None, [node.returns])]
        for each in outside:
            yield from _walk(each, hidden, sources, path)
        inside = hidden | _bound_in(node, sources, path)
        body = node.body if isinstance(node.body, list) else [node.body]
        for each in body:
            yield from _walk(each, inside, sources, path)
        return
    if isinstance(node, ast.Name):
        yield Use(node, node.id in hidden)
    for each in ast.iter_child_nodes(node):
        yield from _walk(each, hidden, sources, path)


def _bound_in(function: FunctionNode | ast.Lambda, sources: Sources, path: str) -> frozenset[str]:
    arguments = function.args
    names = {each.arg for each in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]}
    names |= {each.arg for each in (arguments.vararg, arguments.kwarg) if each is not None}
    declared: set[str] = set()
    waiting: list[ast.AST] = list(function.body) if isinstance(function.body, list) else []
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
                continue
            case ast.Global(names=those) | ast.Nonlocal(names=those):
                declared |= set(those)
            case ast.ExceptHandler(name=str(name)):
                names.add(name)
            case ast.ImportFrom() if not is_own(sources, path, node):
                names |= {each.asname or each.name for each in node.names}
            case ast.Import():
                names |= {(each.asname or each.name).partition(".")[0] for each in node.names}
            case ast.Lambda():
                continue
        waiting += ast.iter_child_nodes(node)
    return frozenset(names - declared - {sources.package})


def is_own(sources: Sources, path: str, node: ast.ImportFrom) -> bool:
    """Whether an import reads the package."""
    module = sources.imported(path, node)
    return module == sources.package or module.startswith(f"{sources.package}.")


def modules(sources: Sources, path: str, text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names that a file binds to modules of the package, and those that it imports from elsewhere."""
    own: set[str] = set()
    other: set[str] = set()
    known = {sources.module(each) for each in sources.code}
    for node in ast.walk(parse(text)):
        if isinstance(node, ast.Import):
            for each in node.names:
                bound = each.asname or each.name.partition(".")[0]
                (own if each.name.partition(".")[0] == sources.package else other).add(bound)
        elif isinstance(node, ast.ImportFrom):
            module = sources.imported(path, node)
            for each in node.names:
                bound = each.asname or each.name
                if f"{module}.{each.name}" in known:
                    own.add(bound)
                elif not is_own(sources, path, node):
                    other.add(bound)
    return frozenset(own), frozenset(other - own)


def root_name(node: ast.expr) -> str:
    """The name that a chain of attributes begins with, or nothing where it begins with something else."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
