"""Which classes of the code derive from which: what a class for mixing in uses, those that it is mixed into have."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from crossval.link.names.found import Presence
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Library, Module
from graph.facts import Kind

_Class = tuple[str, str]
"""The name of a module, and that of a class in it."""


class Heirs:
    """Looks at the classes that derive from another; they are looked for once, when they are first asked for."""

    def __init__(self, code: Library, in_code: Lookup) -> None:
        self._code = code
        self._in_code = in_code

    def given(self, module: Module, local: str) -> str:
        """Why instances may have an attribute that their class does not set, or an empty text."""
        if self.have(module, local):
            return "a class that derives from this one has it"
        if self._is_documented(module, local):
            return "the docstring of its class describes it"
        named = local.rpartition(".")[2] in self._code.of_others.names
        return "a module sets it on what it is given" if named else ""

    def _is_documented(self, module: Module, local: str) -> bool:
        """Whether the docstring of a class, or of one that it derives from, describes an attribute of this name."""
        parent, _, name = local.rpartition(".")
        owner = self._in_code.find(module, parent)
        if owner.module is None:
            return False
        return any(
            name in fact.aspects.get("doc", {}).get("attributes", ())
            for holder, class_ in self._in_code.lineage(owner.module, owner.local).classes
            for fact in holder.definitions.get(class_, ())
        )

    def have(self, module: Module, local: str) -> bool:
        """Whether a class that derives from the one of `local` (`Mixin.name`) has the name that it has not itself."""
        name = local.rpartition(".")[2]
        return any(
            self._in_code.find(holder, f"{child}.{name}").presence is not Presence.ABSENT
            for holder, child in self._of(module, local)
        )

    def define(self, module: Module, local: str) -> bool:
        """Whether a class that derives from the one of `local` defines the name itself."""
        name = local.rpartition(".")[2]
        return any(f"{child}.{name}" in holder.definitions for holder, child in self._of(module, local))

    def _of(self, module: Module, local: str) -> Iterator[tuple[Module, str]]:
        """All classes that derive from the class that a name belongs to."""
        owner = self._in_code.find(module, local.rpartition(".")[0])
        if owner.module is None:
            return
        seen: set[_Class] = set()
        waiting = list(self._children.get((owner.module.name, owner.local), ()))
        while waiting:
            child = waiting.pop()
            if child in seen:
                continue
            seen.add(child)
            waiting += self._children.get(child, ())
            holder = self._code.module(child[0])
            if holder is not None:
                yield holder, child[1]

    @cached_property
    def _children(self) -> dict[_Class, list[_Class]]:
        found: dict[_Class, list[_Class]] = {}
        for module in self._code.loaded:
            for local, facts in module.definitions.items():
                for fact in facts if facts[0].kind is Kind.CLASS else ():
                    for text in fact.aspects.get("bases", []):
                        base = self._in_code.base(module, text)
                        if isinstance(base, tuple):
                            found.setdefault((base[0].name, base[1]), []).append((module.name, local))
        return found
