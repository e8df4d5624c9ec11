"""The examples of a docstring as Python: each step, and the steps above it that it needs."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Sequence

import msgspec

from engine.generators.functions import NoTestError
from graph.facts import Fact, Json

TRACEBACK = re.compile(r"Traceback \((?:most recent call last|innermost last)\):")
_DIRECTIVE = re.compile(r"\s*#\s*doctest:\s*([^\n]*)")


class Step(msgspec.Struct, frozen=True):
    """One example as Python: its source without directives, its tree, what is expected, and its directives."""

    source: str
    tree: ast.Module
    expected: str
    directives: str


def steps_to(fact: Fact, source: str, expected: str) -> tuple[list[Step], Step]:
    """The steps of a docstring that an example needs, and the example itself. Raises NoTestError."""
    doc: Json = fact.aspects.get("doc")
    before: list[Step] = []
    for each_source, each_expected, _ in doc.get("examples", ()) if isinstance(doc, dict) else ():
        step = _step(each_source, each_expected)
        if (each_source, each_expected) == (source, expected):
            if step is None:
                raise NoTestError(f"the example `{source}` as valid Python")
            return _needed(before, step), step
        if step is not None:
            before.append(step)
    raise NoTestError(f"the example `{source}`, which the docstring does not have any more")


def _step(source: str, expected: str) -> Step | None:
    directives = " ".join(found[1] for found in _DIRECTIVE.finditer(source))
    source = textwrap.dedent(_DIRECTIVE.sub("", source)).strip()
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return Step(source, tree, expected, directives) if tree.body else None


def _needed(before: Sequence[Step], step: Step) -> list[Step]:
    """The steps before an example that make or change what it names, in their order."""
    usable = [each for each in before if not TRACEBACK.match(each.expected)]
    made = {name for each in usable for name in bound(each.tree)}
    wanted = loaded(step.tree) & made
    kept: set[int] = set()
    grew = True
    while grew:
        grew = False
        for number, each in enumerate(usable):
            binds = bound(each.tree) & wanted
            changes = loaded(each.tree) & wanted and (_acts(each.tree) or bound(each.tree))
            if number not in kept and (binds or changes):
                kept.add(number)
                wanted |= (loaded(each.tree) | bound(each.tree)) & made
                grew = True
    return [each for number, each in enumerate(usable) if number in kept]


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


def _acts(tree: ast.Module) -> bool:
    """Whether a step may change what it names: it calls, derives a class, or sets an item or attribute."""
    return any(
        isinstance(node, ast.Call | ast.Delete | ast.ClassDef)
        or (isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load))
        for node in ast.walk(tree)
    )
