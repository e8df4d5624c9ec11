"""What a metaclass may do to the members of a class, so that the text does not tell what they are."""

from __future__ import annotations

from collections.abc import Container
from enum import Enum

from crossval.compare.decorators import unknown_class_decorator
from crossval.compare.discrepancies import Comparison, Silence
from crossval.link.names.found import Found
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Module
from graph.facts import Kind


def without_values(
    lookup: Lookup, module: Module, found: Found, comparison: Comparison, set_elsewhere: Container[str]
) -> Comparison:
    """The comparison of an attribute without what only its value told, where a metaclass may change that, or where it
    is `None` until a method of its class sets computed names, or another module sets it.

    `set_elsewhere` are the names that modules set on what is not their own.
    """
    parent = found.local.rpartition(".")[0]
    told = any(each.difference.change in {"type", "value"} for each in comparison.discrepancies)
    if not told or found.facts[0].kind is not Kind.ATTRIBUTE:
        return comparison
    if "annotation" in found.facts[0].aspects:
        return comparison
    if parent and _is_enumeration(lookup, module, parent):
        # What the class has under the name is no plain value but the member.
        comparison = _without_type(comparison, parent.rpartition(".")[2])
    metaclass = lookup.lineage(module, parent).metaclass if parent else ""
    empty = found.facts[0].aspects.get("value") == "None"
    if not parent:
        if not empty or found.local not in set_elsewhere:
            return comparison
        reason = "another module may set it"
    elif metaclass:
        reason = f"the metaclass {metaclass} may change it"
    elif _gives_values(lookup, module, parent):
        reason = "its enumeration gives its members their values itself"
    elif empty and sets_names(lookup, module, parent):
        reason = "a method sets names of the class that the text does not show"
    else:
        return comparison
    kept = tuple(e for e in comparison.discrepancies if e.difference.change not in {"type", "value"})
    silence = Silence("value", reason)
    return Comparison(kept, (*comparison.silences, silence))


def _is_enumeration(lookup: Lookup, module: Module, local: str) -> bool:
    return any(issubclass(each, Enum) for each in lookup.lineage(module, local).standard)


def _without_type(comparison: Comparison, name: str) -> Comparison:
    """The comparison of a member of an enumeration without what its value told against the type `name`, its own."""
    kept = tuple(
        e for e in comparison.discrepancies if e.difference.change != "type" or e.difference.spec != name
    )
    return Comparison(kept, comparison.silences)


def _gives_values(lookup: Lookup, module: Module, local: str) -> bool:
    """Whether a class, or one that it derives from, is an enumeration whose own `__new__` decides on values, or is made
    anew by a decorator from the standard library's module of enumerations."""
    lineage = lookup.lineage(module, local)
    own_new = any(f"{name}.__new__" in owner.definitions for owner, name in lineage.classes)
    if own_new and _is_enumeration(lookup, module, local):
        return True
    return any(
        (unknown_class_decorator(fact, owner.scope) or "").startswith("enum.")
        for owner, name in lineage.classes
        for fact in owner.definitions.get(name, ())
    )


def sets_names(lookup: Lookup, module: Module, local: str) -> bool:
    """Whether a method of a class, or of one that it derives from, sets names that the text does not show."""
    return any(
        fact.aspects.get("dynamic")
        for owner, name in lookup.lineage(module, local).classes
        for fact in owner.definitions.get(name, ())
    )


def kind_or_silence(lookup: Lookup, module: Module, local: str, comparison: Comparison) -> Comparison:
    """The comparison of two kinds of member, unless a metaclass may have made the one kind of the other."""
    parent = local.rpartition(".")[0]
    metaclass = lookup.lineage(module, parent).metaclass if parent else ""
    if not metaclass:
        return comparison
    return Comparison(silences=(Silence("kind", f"the metaclass {metaclass} may change what it is"),))
