"""Tells names that a module no longer offers because it stopped importing them, and where they are to be had."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from graph.changes import Changes
from graph.facts import Fact, Kind, Tag
from healer.movements import Cause, Movement


def of_imports(changes: Changes, moved: dict[str, str], gone: Collection[str] = ()) -> Iterator[Movement]:
    """For each import that went, where its target is: at home, or imported by another module that did not before.

    `moved` maps the names of definitions then to those now, `gone` are definitions that are nowhere any more.
    """
    modules = [(b, a) for b, a in changes.changed if b.kind is Kind.MODULE and b.tag is Tag.CODE]
    came: dict[str, list[tuple[str, Fact]]] = {}
    fresh = [(None, fact) for fact in changes.added if fact.kind is Kind.MODULE and fact.tag is Tag.CODE]
    for before, after in (*modules, *fresh):
        for local, target in _imported(after) - (_imported(before) if before is not None else set()):
            came.setdefault(target, []).append((f"{after.key}.{local}", after))
    for before, after in modules:
        locals_now = {local for local, _ in _imported(after)}
        for local, target in sorted(_imported(before) - _imported(after)):
            name, home = f"{before.key}.{local}", moved.get(target, target)
            if local in locals_now or name in moved or moved.get(before.key, before.key) != before.key:
                continue
            if any(target_now == home for _, target_now in _imported(after)):
                continue  # it follows a rename
            if home in gone or home.startswith(tuple(f"{each}." for each in gone)):
                continue
            others = sorted(place for place, _ in came.get(home, ()) if place != name)
            for place in (home, *others):
                if place != name:
                    yield Movement(
                        cause=Cause.MOVED,
                        side="code",
                        subject=name,
                        before=name,
                        after=place,
                        facts=(before.id,),
                        whole=True,
                    )


def _imported(module: Fact) -> set[tuple[str, str]]:
    rows = module.aspects.get("imports", ())
    return {(str(local), str(target)) for local, target, _ in rows if str(local).isidentifier()}
