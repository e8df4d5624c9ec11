"""Tells what pages say otherwise than they did: what a list of changes announces now, and what a manual lets go.

A page names things as people do: `MRUCache`, `func.mru_cache`. What it says counts for the one definition that went and
ends so; where several do, or none, it says nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from graph.changes import Changes
from graph.facts import Fact, Kind, Tag
from healer.movements import GONE, NAMES, Cause, Movement
from healer.reading.same import same_value

_SPEC = "spec"
_DEFINED = frozenset({Kind.MODULE, Kind.CLASS, Kind.FUNCTION, Kind.ATTRIBUTE})
_Row = tuple[str, str, str, str]
"""What is announced, the name before, the name after, and the function that it is about."""


def announced(changes: Changes, code: Sequence[Movement]) -> tuple[list[Movement], list[Movement]]:
    """The movements of pages, and those of the code (`code`) as the pages tell them.

    What the code's bodies prove stays. What they do not, a page may tell otherwise: that a class went, where one that
    came looked like it, or that what went has another name now.
    """
    pages: list[Movement] = []
    told: dict[str, Movement] = {}
    came = {
        fact.key: fact
        for fact in changes.added
        if fact.tag is Tag.CODE and fact.kind in _DEFINED and "language" not in fact.aspects
    }
    open_ = [each for each in code if each.cause in GONE]
    for (what, before, after, about), fact in _news(changes):
        if what == "raises":
            pages += _raising(code, fact, (before, after, about))
            continue
        if what == "default":
            pages += _defaulting(code, fact, (before, after, about))
            continue
        for movement in _one(open_, before):
            new = _new_name(movement, after, came) if what != "removed" else ""
            if (movement.cause in NAMES and movement.whole) if what == "removed" else not new:
                continue
            spec = Movement(
                cause=_cause(movement, new) if new else Cause.REMOVED,
                side=_SPEC,
                subject=movement.subject,
                before=movement.subject,
                after=new or None,
                facts=(fact.id,),
            )
            facts = (*movement.facts[:1], came[new].id) if new else movement.facts[:1]
            told[movement.subject] = msgspec.structs.replace(spec, side=movement.side, facts=facts)
            pages.append(spec)
    kept = [told.get(each.subject, each) if each.cause in GONE else each for each in code]
    lost = tuple(name for name, each in told.items() if each.cause is Cause.REMOVED)
    return pages, [each for each in kept if each.cause in GONE or not _is_of(each.subject, lost)]


def _is_of(subject: str, names: Iterable[str]) -> bool:
    """Whether something is one of these definitions, or a part of one."""
    return any(subject == name or subject.startswith((f"{name}.", f"{name}#")) for name in names)


def _news(changes: Changes) -> Iterator[tuple[_Row, Fact]]:
    """What pages tell now and did not, and what no page documents any more."""
    changed = [pair for pair in changes.changed if pair[1].kind is Kind.PAGE]
    pages = [*(fact for fact in changes.added if fact.kind is Kind.PAGE), *(after for _, after in changed)]
    before = [*(fact for fact in changes.removed if fact.kind is Kind.PAGE), *(then for then, _ in changed)]
    known = Counter(row for fact in before for row in _rows(fact))
    for fact in pages:
        for row in _rows(fact):
            if known[row]:
                known[row] -= 1
            else:
                yield row, fact
    documented = {name for fact in pages for name in _documented(fact)}
    for fact in before:
        for name in _documented(fact):
            if name not in documented:
                yield ("removed", name, "", ""), fact


def _rows(fact: Fact) -> Iterator[_Row]:
    for row in fact.aspects.get("changes") or ():
        what, before, after, about = map(str, row[:4])
        yield what, before, after, about


def _documented(fact: Fact) -> Iterator[str]:
    yield from (str(row[0]) for row in fact.aspects.get("documents") or ())


def _one(movements: Iterable[Movement], name: str) -> list[Movement]:
    """The movements of the one subject that a name can mean; nothing where it is not one."""
    found = [each for each in movements if _ends(each.subject, name)]
    return found if len({each.subject for each in found}) == 1 else []


def _ends(dotted: str, name: str) -> bool:
    return dotted == name or dotted.endswith(f".{name}")


def _new_name(movement: Movement, name: str, came: dict[str, Fact]) -> str:
    """The definition that came and that a page means by the new name of what went; empty where it is not one."""
    last = movement.subject.rpartition(".")[2]
    kinds = {each.partition(":")[2].partition(":")[0] for each in movement.facts}
    found = [
        key
        for key, fact in came.items()
        if (_ends(key, name) or _ends(key, f"{name}.{last}")) and str(fact.kind) in kinds
    ]
    near = [key for key in found if _holder(key) == _holder(movement.subject)] or found
    return near[0] if len(near) == 1 else ""


def _cause(movement: Movement, new: str) -> Cause:
    """How what went has another name now."""
    if movement.cause is Cause.MEMBER_RENAMED:
        return movement.cause
    if any(f":{Kind.MODULE}:" in each for each in movement.facts[:1]):
        return Cause.MODULE_RENAMED
    is_same = movement.subject.rpartition(".")[2] == new.rpartition(".")[2]
    return Cause.MOVED if is_same else Cause.RENAMED


def _raising(code: Iterable[Movement], fact: Fact, row: tuple[str, str, str]) -> Iterator[Movement]:
    """That a function raises another exception, where the code's change is just that."""
    before, after, about = row
    subjects = {
        each.subject for each in code if each.cause is Cause.EXCEPTION_CHANGED and _ends(each.subject, about)
    }
    if len(subjects) == 1:
        yield Movement(
            cause=Cause.EXCEPTION_CHANGED,
            side=_SPEC,
            subject=subjects.pop(),
            before=before,
            after=after,
            facts=(fact.id,),
        )


def _defaulting(code: Iterable[Movement], fact: Fact, row: tuple[str, str, str]) -> Iterator[Movement]:
    """That a parameter has another default, where the code's change of one parameter of this name is just that."""
    before, after, (function, _, parameter) = row[0], row[1], row[2].partition("#")
    found = [
        each
        for each in code
        if each.cause is Cause.DEFAULT_CHANGED
        and each.subject.endswith(f"#{parameter}")
        and (not function or _ends(each.subject.partition("#")[0].removesuffix(".__init__"), function))
        and each.after is not None
        and same_value(each.after, after)
        and (not before or same_value(each.before, before))
    ]
    if len({each.subject for each in found}) == 1:
        yield msgspec.structs.replace(found[0], side=_SPEC, facts=(fact.id,), whole=False)


def _holder(key: str) -> str:
    return key.rpartition(".")[0]
