"""Follows fixtures that have another name: arguments of tests and fixtures, and the words that ask for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from healer.healers.plan import Plan
from healer.movements import Cause
from healer.reading.marks import argument_names, parametrized
from healer.reading.meanings import Meanings
from healer.reading.source import Edit

_ASKING = frozenset({"usefixtures", "getfixturevalue"})


def fixtures(file: Meanings, plan: Plan) -> list[Edit]:
    """The edits by which a file asks for fixtures by the names that they have now."""
    edits: list[Edit] = []
    for movement in plan.of(Cause.RENAMED, side="test"):
        old, new = (str(name or "").rpartition(".")[2] for name in (movement.before, movement.after))
        if not old or not new or any(True for _ in file.around.fixtures(file.source.path, old)):
            continue
        made = [*_arguments(file, old, new), *_words(file, old, new)]
        if made:
            edits += made
            plan.follow(movement)
    return edits


def _arguments(file: Meanings, old: str, new: str) -> Iterator[Edit]:
    for node, scope in file.bindings.scopes.items():
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        is_asked = node.name.startswith("test") or bool(node.decorator_list)
        arguments = [each for each in (*node.args.args, *node.args.kwonlyargs) if each.arg == old]
        if not arguments or not is_asked or (parametrized(node, old) is not None and not _is_indirect(node)):
            continue
        uses: list[ast.arg | ast.Name] = [*arguments, *file.bindings.uses(scope, old)]
        places = [file.source.identifier(each, old) for each in uses]
        if all(places) and file.bindings.is_free(scope, old, new):
            yield from (Edit(place.start, place.end, new) for place in places if place is not None)


def _words(file: Meanings, old: str, new: str) -> Iterator[Edit]:
    """Texts that name fixtures: in `usefixtures`, `getfixturevalue`, and where `parametrize` is indirect."""
    for node in file.source.nodes:
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        named: list[ast.expr] = list(node.args) if name in _ASKING else []
        if name == "parametrize" and node.args and old in argument_names(node.args[0]):
            indirect = [each.value for each in node.keywords if each.arg == "indirect"]
            if indirect:
                named = [node.args[0], *getattr(node.args[0], "elts", [])]
                named += [part for each in indirect for part in (each, *getattr(each, "elts", []))]
        for each in named:
            words = each.value if isinstance(each, ast.Constant) else None
            if isinstance(words, str) and old in [part.strip() for part in words.split(",")]:
                edit = file.source.within_literal(each, old, new)
                yield from [edit] if edit is not None else []


def _is_indirect(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(
        keyword.arg == "indirect"
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call)
        for keyword in decorator.keywords
    )
