"""Tells what moved among the definitions of one side, code or stubs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import msgspec

from graph.changes import Changes
from graph.facts import Fact, Kind, Tag
from healer.movements import Cause, Movement
from healer.moving.bodies import Bodies
from healer.moving.definitions import Definition, has_same_head, is_whole, of_attribute, of_class, of_function
from healer.moving.pairing import KINDS, Pairing, paired
from healer.moving.undos import defined

_LONG = 20
"""Bytes from which on equal bodies are hardly equal by chance."""
_SAYING_NOTHING = frozenset({"self", "cls", "NotImplemented", "NotImplementedError"})
_ALIKE = 0.6
_ENUMS = ("Enum", "Flag", "TextChoices", "IntegerChoices")


def of_definitions(
    changes: Changes, tag: Tag, bodies: Bodies, kept: Sequence[tuple[Fact, Fact]] = ()
) -> Iterator[Movement]:
    """What moved among modules, classes, functions and attributes of this tag.

    `kept` are those whose old name is kept and hands on, each with what it hands on to.
    """
    others = {fact.id for pair in kept for fact in pair}
    gone, come = ([f for f in _of(fs, tag) if f.id not in others] for fs in (changes.removed, changes.added))
    pairing = paired(gone, come, bodies.alike)
    pairing = msgspec.structs.replace(pairing, pairs=(*pairing.pairs, *kept))
    stayed = [
        (b, a)
        for b, a in changes.changed
        if b.tag is tag and b.kind in KINDS and "language" not in a.aspects and b.id not in others
    ]
    definitions = defined(pairing, stayed, changes.added)
    known = frozenset(before.id for before, _ in kept)
    whole, places = _Wholeness(definitions, pairing, bodies, known), _Places(definitions)
    for each in definitions:
        yield from _moved(each, whole, places)
        if each.before.kind is Kind.FUNCTION:
            yield from of_function(each, bodies)
        elif each.before.kind is Kind.ATTRIBUTE:
            yield from of_attribute(each, bodies)
        else:
            yield from of_class(each, bodies, is_explained=whole.has_other_attributes(each.before.key))
    for fact in _topmost(pairing.gone):
        yield Movement(
            cause=Cause.REMOVED, side=str(tag), subject=fact.key, before=fact.key, facts=(fact.id,)
        )


class _Wholeness:
    """Says of definitions whether all that is in them is the same."""

    def __init__(
        self, definitions: list[Definition], pairing: Pairing, bodies: Bodies, known: frozenset[str]
    ) -> None:
        self._definitions = definitions
        self._known = known
        self._bodies = bodies
        self._own = {(d.before.kind, d.before.key): is_whole(d, bodies) for d in definitions}
        self._lost = {fact.key for fact in pairing.gone}
        self._broken = {
            key for (kind, key), whole in self._own.items() if not whole and kind is Kind.FUNCTION
        }
        attributes = [d for d in definitions if d.before.kind is Kind.ATTRIBUTE]
        self._changed = {d.before.key for d in attributes if any(of_attribute(d, bodies))}
        left = {d.before.key for d in attributes if _holder(d.before.key) != _holder(d.after.key)}
        came = {fact.key for fact in pairing.come if fact.kind is Kind.ATTRIBUTE}
        self._touched = {_holder(key) for key in {*self._changed, *self._lost, *left, *came}}
        self._left = {_holder(key) for key in left}

    def of(self, each: Definition) -> bool:
        """Whether a definition with all its parts is the same, and surely the one that had the other name."""
        kind, key = each.before.kind, each.before.key
        if each.before.name != each.after.name and kind is not Kind.MODULE and not self._is_recognised(each):
            return False
        if kind is Kind.FUNCTION:
            return self._own[kind, key]
        if kind is Kind.ATTRIBUTE:
            if "value" not in each.before.aspects:
                return self._has_same_holder(key) and self._has_same_parts(_holder(key))
            is_moved = each.before.name == each.after.name
            return self._own[kind, key] and (is_moved or self._has_same_holder(key))
        is_alike = kind is not Kind.CLASS or has_same_head(each)
        return is_alike and self._has_same_parts(key) and (self._own[kind, key] or key in self._left)

    def _is_recognised(self, each: Definition) -> bool:
        """Whether it is likely one thing that has another name, and not two that look alike since they are short.

        A long body is enough, or a like name, the same words about it, or that others who used it follow the name.
        """
        before, after = each.before, each.after
        if before.kind is Kind.ATTRIBUTE or before.tag is not Tag.CODE or before.id in self._known:
            return True  # their places and signatures tell, or the old name does
        summary = (before.aspects.get("doc") or {}).get("summary")
        if summary and summary == (after.aspects.get("doc") or {}).get("summary"):
            return True
        if SequenceMatcher(None, before.name.lower(), after.name.lower()).ratio() >= _ALIKE:
            return True
        parts = [d for d in self._definitions if d.after.key.startswith(f"{after.key}.")]
        bodies = [d.after for d in (each, *parts) if d.before.kind is not Kind.ATTRIBUTE]
        if any(self._bodies.size(d) >= _LONG and self._bodies.names(d) - _SAYING_NOTHING for d in bodies):
            return True
        return any(
            self._own[other.before.kind, other.before.key]
            and self._bodies.followed(other.before, other.after, after.name)
            for other in self._definitions
            if other.before.kind is Kind.FUNCTION
        )

    def has_other_attributes(self, key: str) -> bool:
        """Whether an attribute of a class or module is told to have come, gone or changed."""
        return key in self._touched

    def _has_same_holder(self, key: str) -> bool:
        """Whether all statements around an attribute are the same."""
        holder = _holder(key)
        return all(self._own.get((kind, holder), True) for kind in (Kind.CLASS, Kind.MODULE))

    def _has_same_parts(self, key: str) -> bool:
        return not any(part.startswith(f"{key}.") for part in (*self._broken, *self._changed, *self._lost))


def _of(facts: tuple[Fact, ...], tag: Tag) -> list[Fact]:
    return [
        fact for fact in facts if fact.tag is tag and fact.kind in KINDS and "language" not in fact.aspects
    ]


def _moved(each: Definition, whole: _Wholeness, places: _Places) -> Iterator[Movement]:
    """The movement of a definition's own name; nothing where only what it lies in moved."""
    before, after = each.before, each.after
    if places.is_carried(before.key, after.key):
        return
    if before.kind is Kind.MODULE:
        cause = Cause.MODULE_RENAMED
    elif before.name == after.name:
        cause = Cause.MOVED
    else:
        cause = Cause.MEMBER_RENAMED if _holder(before.key) in places.enums else Cause.RENAMED
    yield Movement(
        cause=cause,
        side=str(before.tag),
        subject=before.key,
        before=before.key,
        after=after.key,
        facts=each.facts,
        whole=whole.of(each),
    )


class _Places:
    """Where classes and modules went, and which classes are enums."""

    def __init__(self, definitions: list[Definition]) -> None:
        holders = [d for d in definitions if d.before.kind in (Kind.CLASS, Kind.MODULE, Kind.FUNCTION)]
        self._to = {d.before.key: d.after.key for d in holders}
        self.enums = {
            d.before.key
            for d in holders
            if any(_is_enum(str(base)) for base in d.before.aspects.get("bases", ()))
        }

    def is_carried(self, before: str, after: str) -> bool:
        """Whether a name is the same within what it lies in."""
        if before.partition("~")[0] == after.partition("~")[0]:
            return True
        head, tail = _holder(before), before[len(_holder(before)) :]
        while head:
            if head in self._to:
                return self._to[head] + tail == after
            tail = f".{head.rpartition('.')[2]}{tail}"
            head = _holder(head)
        return False


def _is_enum(base: str) -> bool:
    return base.rpartition(".")[2].endswith(_ENUMS)


def _holder(key: str) -> str:
    return key.rpartition(".")[0]


def _topmost(gone: tuple[Fact, ...]) -> Iterator[Fact]:
    """What went and lies in nothing that went."""
    keys = {fact.key for fact in gone if fact.kind is not Kind.ATTRIBUTE}
    for fact in gone:
        heads = fact.key.split(".")
        if not any(".".join(heads[:end]) in keys for end in range(1, len(heads))):
            yield fact
