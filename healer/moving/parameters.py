"""Compares the parameters of a function then and now: which were renamed, moved, added, removed or changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from graph.facts import Fact

_POSITIONAL = frozenset({"positional-only", "positional-or-keyword"})
_NAMED = _POSITIONAL | {"keyword-only"}
_WITH_RECEIVER = frozenset({"method", "classmethod", "property", "setter", "deleter"})


class Row(msgspec.Struct, frozen=True):
    """One parameter: `kind` as `inspect` has it, `default` as source text, `None` without one."""

    name: str
    kind: str
    default: str | None


class Compared(msgspec.Struct, frozen=True):
    """The parameters of a function, without that of its instance, and what became of them.

    `renamed` maps names then to names now; `keyword_only` are names now of those that could be given by place before;
    `order` has the places, as they are now, of the parameters in the order of then; it is empty where that is the same.
    """

    then: tuple[Row, ...]
    now: tuple[Row, ...]
    renamed: Mapping[str, str]
    removed: tuple[str, ...]
    added: tuple[str, ...]
    keyword_only: tuple[str, ...]
    order: tuple[int, ...]


def compared(before: Fact, after: Fact) -> Compared:
    """What became of the parameters of a function."""
    then, now = _both(before, after)
    renamed = _renamed(then, now)
    by_name = {row.name: row for row in now}
    kept = [(row, by_name[renamed.get(row.name, row.name)]) for row in then if _now(row, renamed) in by_name]
    came = {renamed.get(row.name, row.name) for row in then}
    placed = [(old, new) for old, new in kept if old.kind in _POSITIONAL and new.kind in _POSITIONAL]
    order = [now.index(new) for _, new in placed]
    return Compared(
        then=then,
        now=now,
        renamed=renamed,
        removed=tuple(r.name for r in then if r.kind in _NAMED and _now(r, renamed) not in by_name),
        added=tuple(row.name for row in now if row.kind in _NAMED and row.name not in came),
        keyword_only=tuple(
            new.name for old, new in kept if old.kind in _POSITIONAL and new.kind == "keyword-only"
        ),
        order=tuple(order) if order != sorted(order) else (),
    )


def rows(fact: Fact) -> tuple[Row, ...]:
    """The parameters of a function without that of its instance or class."""
    listed = fact.aspects.get("parameters", ())
    skipped = 1 if fact.aspects.get("kind") in _WITH_RECEIVER and listed else 0
    return tuple(Row(str(row[0]), str(row[1]), row[3]) for row in listed[skipped:])


def takes_receiver(before: Fact, after: Fact) -> bool:
    """Whether a method is a function now whose first parameter takes what was its object, or the reverse."""
    function, method = sorted((before, after), key=lambda fact: fact.aspects.get("kind") == "method")
    if (function.aspects.get("kind"), method.aspects.get("kind")) != ("function", "method"):
        return False
    listed = rows(function)
    is_taken = bool(listed) and listed[0].kind in _POSITIONAL and listed[0].default is None
    return is_taken and [row.name for row in listed[1:]] == [row.name for row in rows(method)]


def _both(before: Fact, after: Fact) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """The parameters then and now, without those for the object."""
    then, now = rows(before), rows(after)
    if takes_receiver(before, after):
        return (then[1:], now) if before.aspects.get("kind") == "function" else (then, now[1:])
    return then, now


def defaults(found: Compared) -> Iterator[tuple[str, str | None, str | None]]:
    """The name now, and the default then and now, of each parameter that stayed."""
    by_name = {row.name: row for row in found.now}
    for row in found.then:
        now = by_name.get(found.renamed.get(row.name, row.name))
        if now is not None:
            yield now.name, row.default, now.default


def own_names(before: Fact, after: Fact) -> dict[str, str]:
    """From names of parameters now to those then, that of the instance and the starred ones included."""
    names = {new: old for old, new in _renamed(*_both(before, after)).items()}
    then, now = before.aspects.get("parameters", ()), after.aspects.get("parameters", ())
    if takes_receiver(before, after):
        return names if then[0][0] == now[0][0] else {**names, str(now[0][0]): str(then[0][0])}
    for old, new in zip(then[:1], now[:1], strict=False):
        if (
            old[1] == new[1]
            and old[0] != new[0]
            and (len(rows(before)) < len(then))
            and len(rows(after)) < len(now)
        ):
            names[str(new[0])] = str(old[0])
    return names


def _now(row: Row, renamed: Mapping[str, str]) -> str:
    return renamed.get(row.name, row.name)


def _renamed(then: tuple[Row, ...], now: tuple[Row, ...]) -> dict[str, str]:
    """Which parameter has which name now: at the same place, or the only one of its kind and default."""
    old_names, new_names = {row.name for row in then}, {row.name for row in now}
    gone = [row for row in then if row.name not in new_names]
    come = [row for row in now if row.name not in old_names]
    found: dict[str, str] = {}
    for row in gone:
        place = then.index(row)
        same = now[place] if place < len(now) and now[place] in come else None
        if same is not None and same.kind == row.kind and same.default == row.default:
            found[row.name] = same.name
    for row in gone:
        if row.name in found:
            continue
        free = [each for each in come if each.name not in found.values() and _is_like(each, row)]
        rivals = [each for each in gone if each.name not in found and _is_like(each, row)]
        if len(free) == len(rivals) == 1:
            found[row.name] = free[0].name
    return found


def _is_like(one: Row, other: Row) -> bool:
    is_named = one.kind in _NAMED and other.kind in _NAMED
    return (is_named or one.kind == other.kind) and one.default == other.default
