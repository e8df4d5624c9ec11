"""The names that a metaclass of the project sets in the classes that it makes."""

from __future__ import annotations

from collections.abc import Callable

from crossval.link.names.making import PLAIN_METACLASSES
from crossval.link.names.modules import Module
from crossval.link.names.publicity import is_private, is_special

_MAKERS = frozenset({"__new__", "__init__"})
_TAKING_OVER = frozenset({"__prepare__", "__getattr__", "__getattribute__", "__setattr__"})
# What these do does not concern what a class has.
_OF_ITSELF = frozenset(
    {"__new__", "__init__", "__call__", "__instancecheck__", "__subclasscheck__", "__repr__", "__slots__"}
)
_MOST = 5


def names_given(
    module: Module, text: str, base_of: Callable[[Module, str], tuple[Module, str] | type | str]
) -> frozenset[str] | None:
    """The names that classes have of a metaclass which this text names in a module, `*` where it may change others;
    empty where it leaves its classes as they are, None where all of that is not known.

    Its own methods are reached by the names of its classes, too.
    """
    names: set[str] = set()
    waiting = [(module, text)]
    for _ in range(_MOST):
        if not waiting:
            return frozenset(names - _OF_ITSELF)
        holder, base = waiting.pop()
        if holder.scope.resolve(base) in PLAIN_METACLASSES:
            continue
        named = base_of(holder, base)
        if not isinstance(named, tuple):
            return None
        owner, local = named
        facts, members = owner.definitions.get(local, ()), set(owner.members.get(local, ()))
        if len(facts) != 1 or facts[0].aspects.get("dynamic") or members & _TAKING_OVER:
            return None
        if members & _MAKERS:
            told = facts[0].aspects.get("sets_members")
            if told is None:
                return None
            names.update(told)
        names.update(name for name in members if is_special(name) or not is_private(name))
        waiting += [(owner, base) for base in facts[0].aspects.get("bases", ())]
    return None
