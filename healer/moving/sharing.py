"""Tells what tests share among themselves and lies elsewhere now: helper modules, and single names of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graph.changes import Changes
from graph.facts import Fact, Kind, Tag
from healer.movements import Cause, Movement
from healer.moving.former import Read, Trees


def of_helpers(changes: Changes, then: Read, now: Read) -> Iterator[Movement]:
    """Modules of tests that have another name, and names of them that another module has, written the same.

    `then` and `now` give the texts of files; nothing is told of what nobody can read as it was.
    """
    trees = Trees(then), Trees(now)
    removed = [fact for fact in changes.removed if _is_module(fact)]
    added = [fact for fact in changes.added if _is_module(fact)]
    pairs = [(before, after) for before, after in changes.changed if _is_module(before)]
    came = [(fact, _named(trees[1].of(fact.source.path))) for fact in added]
    for before, after in pairs:
        old = _named(trees[0].of(before.source.path))
        new = _named(trees[1].of(after.source.path))
        came.append((after, {name: text for name, text in new.items() if name not in old}))
    for fact in removed:
        yield from _moved(fact, _named(trees[0].of(fact.source.path)), came, is_gone=True)
    for before, after in pairs:
        left = _named(trees[1].of(after.source.path))
        gone = {
            name: text for name, text in _named(trees[0].of(before.source.path)).items() if name not in left
        }
        yield from _moved(before, gone, came, is_gone=False)


def _moved(
    fact: Fact, gone: dict[str, str], came: list[tuple[Fact, dict[str, str]]], *, is_gone: bool
) -> Iterator[Movement]:
    homes: dict[str, Fact] = {}
    for name, text in gone.items():
        found = [other for other, names in came if names.get(name) == text and other.key != fact.key]
        if len(found) == 1:
            homes[name] = found[0]
    targets = {home.key: home for home in homes.values()}
    if is_gone and gone and len(targets) == 1 and len(homes) == len(gone):
        (home,) = targets.values()
        yield _told(Cause.MODULE_RENAMED, fact.key, home.key, fact, home)
        return
    for name, home in homes.items():
        yield _told(Cause.MOVED, f"{fact.key}.{name}", f"{home.key}.{name}", fact, home)


def _told(cause: Cause, before: str, after: str, fact: Fact, home: Fact) -> Movement:
    return Movement(
        cause=cause,
        side="test",
        subject=before,
        before=before,
        after=after,
        facts=tuple(dict.fromkeys((fact.id, home.id))),
        whole=True,
    )


def _is_module(fact: Fact) -> bool:
    return fact.tag is Tag.TEST and fact.kind is Kind.MODULE


def _named(tree: ast.Module) -> dict[str, str]:
    """What a module of tests defines at its top, but for tests and fixtures: names with what stands there."""
    found: dict[str, str] = {}
    for node in tree.body:
        names: list[str] = []
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            is_fixture = any("fixture" in ast.unparse(each) for each in node.decorator_list)
            names = [] if is_fixture or node.name.startswith(("test", "Test")) else [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [each.id for each in targets if isinstance(each, ast.Name)]
        found.update((name, ast.dump(node)) for name in names)
    return found
