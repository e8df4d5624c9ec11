"""The `__hash__` that Python takes away from a class which says what equals it."""

from __future__ import annotations

import msgspec

from crossval.link.names.found import Found, Presence
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Module
from graph.facts import Fact, Kind


def taken_hash(lookup: Lookup, module: Module, local: str) -> Found | None:
    """`__hash__ = None`, as it stands for a class whose body defines `__eq__` and no `__hash__`; else None.

    Decorators and metaclasses may give it another one.
    """
    parent, _, name = local.rpartition(".")
    class_ = lookup.find(module, parent) if name == "__hash__" and parent else None
    if class_ is None or class_.module is None:
        return None
    lineage = lookup.lineage(class_.module, class_.local)
    if lineage.outside or lineage.metaclass or lineage.unknown_special:
        return None
    for owner, each in lineage.classes:
        defined = owner.definitions
        if f"{each}.__hash__" in defined or any(fact.aspects.get("decorators") for fact in defined[each]):
            return None
        equals = defined.get(f"{each}.__eq__", ())
        if equals:
            plain = len(equals) == 1 and not equals[0].aspects.get("guard") and len(defined[each]) == 1
            found = (_nothing(equals[0]),)
            return Found(Presence.PRESENT, found, owner, f"{each}.{name}") if plain else None
    return None


def _nothing(equals: Fact) -> Fact:
    key = f"{equals.key.rpartition('.')[0]}.__hash__"
    return msgspec.structs.replace(
        equals, kind=Kind.ATTRIBUTE, key=key, name="__hash__", aspects={"value": "None"}
    )
