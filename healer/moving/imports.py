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
            yield from _within(before, after, local, target)
            name, home = f"{before.key}.{local}", moved.get(target, target)
            if local in locals_now or name in moved or moved.get(before.key, before.key) != before.key:
                continue
            if any(target_now == home for _, target_now in _imported(after) - _imported(before)):
                continue  # it follows a rename
            if home in gone or home.startswith(tuple(f"{each}." for each in gone)):
                continue
            others = sorted(place for place, _ in came.get(home, ()) if place != name)
            # What others import from elsewhere is looked up, and replaced by tests, where they import it.
            is_own = home.partition(".")[0] == before.key.partition(".")[0]
            for place in (home, *others) if is_own else (*others, home):
                if place != name:
                    yield _told(name, place, before)


def _within(before: Fact, after: Fact, local: str, target: str) -> Iterator[Movement]:
    """Names below an import that went, which the module imports by themselves now, and the reverse: `shop.time.sleep`
    is `shop.sleep` where `import time` became `from time import sleep`."""
    for name, other in sorted(_imported(after) - _imported(before)):
        if other.startswith(f"{target}."):
            yield _told(f"{before.key}.{local}{other[len(target) :]}", f"{after.key}.{name}", before)
        elif target.startswith(f"{other}."):
            yield _told(f"{before.key}.{local}", f"{after.key}.{name}{target[len(other) :]}", before)


def _told(before: str, after: str, fact: Fact) -> Movement:
    return Movement(
        cause=Cause.MOVED,
        side="code",
        subject=before,
        before=before,
        after=after,
        facts=(fact.id,),
        whole=True,
    )


def _imported(module: Fact) -> set[tuple[str, str]]:
    rows = module.aspects.get("imports", ())
    return {(str(local), str(target)) for local, target, _ in rows if str(local).isidentifier()}
