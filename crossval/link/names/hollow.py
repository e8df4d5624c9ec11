"""Modules that hold next to nothing of what their stubs declare, in packages part of which is compiled."""

from __future__ import annotations

from functools import cached_property

from crossval.compare.decorators import unknown_class_decorator
from crossval.compare.discrepancies import Comparison, Silence
from crossval.link.names.found import Found
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Library, Module
from graph.facts import Kind

_MANY = 20
_MOST_KNOWN = 0.1
_CONSTRUCTORS = frozenset({"__init__", "__new__"})


class Hollow:
    """Tells which modules of the code a compiled one may fill when it is imported."""

    def __init__(self, code: Library) -> None:
        self._code = code

    def filled(self, stub: Module, code: Module) -> str:
        """Why a module may have names that its text does not show, or an empty text."""
        package = code.name.partition(".")[0]
        declared = [name for name in stub.top_level if not name.startswith("_")]
        if len(declared) < _MANY or package not in self._compiled:
            return ""
        known = sum(name in code.definitions or name in code.imports for name in declared)
        if known > _MOST_KNOWN * len(declared):
            return ""
        return f"a compiled module of {package} may fill {code.name} when it is imported"

    @cached_property
    def _compiled(self) -> frozenset[str]:
        """The packages that import modules of their own which have no source."""
        names = frozenset(self._code.names)
        found = set()
        for name in names:
            module = self._code.module(name)
            package = name.partition(".")[0]
            for target in module.imports.values() if module is not None else ():
                if target.startswith(f"{package}.") and self._is_sourceless(target):
                    found.add(package)
        return frozenset(found)

    def _is_sourceless(self, target: str) -> bool:
        """Whether something is imported from a module, spelled as one, of which there is no source."""
        owner = self._code.owner(target)
        if owner is None or not owner[1] or owner[0] == target:
            return False
        holder = self._code.module(owner[0])
        head = owner[1].partition(".")[0]
        return (
            "." in owner[1]
            and holder is not None
            and bool(holder.fact.aspects.get("package"))
            and head not in holder.definitions
            and head not in holder.imports
        )


def made_otherwise(lookup: Lookup, code: Module, local: str, found: Found) -> Comparison | None:
    """Silence on a constructor for which a decorator of its class may put another one; None where none may."""
    parent, _, name = local.rpartition(".")
    if name not in _CONSTRUCTORS or found.module is None:
        return None
    decorator = _wrapping(lookup, code, parent)
    if decorator is None:
        return None
    reason = f"the decorator {decorator} of the class may change it"
    return Comparison(silences=(Silence("signature", reason),))


def without_wrapped(lookup: Lookup, code: Module, local: str, comparison: Comparison) -> Comparison:
    """A comparison without what a decorator of the class may make of a method: one that waits of one that does not."""
    parent = local.rpartition(".")[0]
    waits = [each for each in comparison.discrepancies if each.difference.change == "async"]
    decorator = _wrapping(lookup, code, parent) if waits and parent else None
    if decorator is None:
        return comparison
    reason = f"the decorator {decorator} of the class may wrap it"
    rest = tuple(each for each in comparison.discrepancies if each not in waits)
    return Comparison(rest, (*comparison.silences, Silence("async", reason)))


def _wrapping(lookup: Lookup, code: Module, local: str) -> str | None:
    """The first decorator of a class that may put something else in place of what it has; None without one."""
    owner = lookup.find(code, local)
    if owner.module is None or any(fact.kind is not Kind.CLASS for fact in owner.facts):
        return None
    names = (unknown_class_decorator(fact, owner.module.scope) for fact in owner.facts)
    return next((each for each in names if each is not None), None)


def is_private(name: str, code: Library) -> bool:
    """Whether a module that only stubs have is private, or lies in a private package of which the code has nothing."""
    parts = name.split(".")
    for end, part in enumerate(parts, 1):
        above = f"{'.'.join(parts[:end])}."
        if part.startswith("_") and not any(f"{each}.".startswith(above) for each in code.names):
            return True
    return False
