"""What the lines of a text do to names, each told apart from what had the same name before it got another value."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import msgspec

from engine.generators.functions.example_names import bound, changed_names, loaded, named

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Names(msgspec.Struct, frozen=True):
    """What a line does to names: `box` before any line gives it a value, `box#1` after the first that does, `box#2`.

    `makes` are those that are there for later lines; `lasting` are functions that it defines or has from elsewhere,
    which a call does not change.
    """

    reads: set[str]
    makes: set[str]
    changes: set[str]
    lasting: set[str]
    looked: set[str]
    whole: set[str]


def names_of(trees: Sequence[ast.Module]) -> list[Names]:
    """What each line does to names, in their order."""
    counts: list[dict[str, int]] = [{}]
    brought: set[str] = set()
    for tree in trees:
        count, known, again = dict(counts[-1]), imported(tree), rebound(tree)
        # What is imported once more is what it was.
        for name in again | (known - brought):
            count[name] = count.get(name, 0) + 1
        brought = (brought | known) - again
        counts.append(count)
    return [
        _names(tree, before, after, counts[-1])
        for tree, before, after in zip(trees, counts, counts[1:], strict=False)
    ]


def _names(tree: ast.Module, before: dict[str, int], after: dict[str, int], most: dict[str, int]) -> Names:
    later = {name for node in ast.walk(tree) if isinstance(node, _INNER) for name in loaded(node)}
    looked = looked_into(tree)
    return Names(
        # What a function reads, it reads when it is called.
        reads=_told(loaded(tree), before)
        | {_numbered(name, number) for name in later for number in range(most.get(name, 0) + 1)},
        makes=_told(named(tree), after),
        changes=_told(changed_names(tree), before),
        lasting=_told(imported(tree) | _defined(tree), after),
        looked=_told({looked} if looked else set(), before),
        whole=_told(taken_whole(tree), before),
    )


def _defined(tree: ast.Module) -> set[str]:
    return {each.name for each in tree.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}


def _told(names: set[str], count: dict[str, int]) -> set[str]:
    return {_numbered(name, count.get(name, 0)) for name in names}


def _numbered(name: str, number: int) -> str:
    return f"{name}#{number}" if number else name


def taken_whole(tree: ast.Module) -> set[str]:
    """The names that a piece of code reads as such, and not only to look for something in them."""
    inside = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute | ast.Subscript)}
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in inside}


def looked_into(tree: ast.Module) -> str:
    """The name of that in which a line looks for something, and does nothing else; empty for other lines."""
    match tree.body:
        case [ast.Expr(value=ast.Attribute() | ast.Subscript() as place)]:
            node: ast.expr = place
            while isinstance(node, ast.Attribute | ast.Subscript):
                node = node.value
            return node.id if isinstance(node, ast.Name) else ""
    return ""


def rebound(tree: ast.Module) -> set[str]:
    """The names that a piece of code surely gives a new value."""
    found: set[str] = set()
    for node in tree.body:
        match node:
            case ast.Assign(targets=targets):
                listed = (part for each in targets for part in getattr(each, "elts", [each]))
                found |= {each.id for each in listed if isinstance(each, ast.Name)}
            # What is decorated may join others of its name, as in multiple dispatch.
            case ast.FunctionDef(name=name, decorator_list=[]) | ast.ClassDef(name=name):
                found.add(name)
    return found


def imported(tree: ast.Module) -> set[str]:
    """The names that a piece of code imports."""
    return {
        name for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom) for name in bound(each)
    }
