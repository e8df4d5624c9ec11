"""A class with all its ancestors, as far as the text of a project and the standard library tell them."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from crossval.compare.typenames import base_class
from crossval.link.names.making import attribute_makers, class_makers, instance_makers, metaclass_of
from crossval.link.names.metaclass_names import names_given
from crossval.link.names.modules import Module
from crossval.link.names.resolution_order import linearised
from graph.facts import Tag

Base = tuple[Module, str] | type | str
"""The class that a base names: in the project, a standard one, or an unknown one's name."""


class Lineage(msgspec.Struct, frozen=True):
    """A class and all its ancestors: those in the project, those of the standard library, and what is not known.

    `unknown` says why there may be members that nothing here defines, `unknown_special` why such as `__len__`, which
    instances cannot be given, `unknown_methods` why others than plain attributes; `outside` which base is not known at
    all; `metaclass` is the text of one that may change what the class defines, `given` are the names that such ones
    surely set. Each is empty where there is none.
    """

    classes: tuple[tuple[Module, str], ...]
    standard: tuple[type, ...]
    unknown: str = ""
    unknown_special: str = ""
    unknown_methods: str = ""
    outside: str = ""
    metaclass: str = ""
    given: frozenset[str] = frozenset()

    def lacks_constructor(self, name: str) -> bool:
        """Whether `name` is `__init__`, and the one inherited from `object` takes no arguments."""
        ancestors = {ancestor for class_ in self.standard for ancestor in class_.__mro__} - {object}
        return (
            name == "__init__"
            and not any("__init__" in vars(ancestor) for ancestor in ancestors)
            and not any(f"{local}.__new__" in owner.definitions for owner, local in self.classes)
        )

    @property
    def names(self) -> frozenset[str]:
        """The last components of the names of all known ancestors, the class included."""
        return self.ancestors | {local.rpartition(".")[2] for _, local in self.classes[:1]}

    @property
    def ancestors(self) -> frozenset[str]:
        """The last components of the names of all known ancestors."""
        own = {local.rpartition(".")[2] for _, local in self.classes[1:]}
        return frozenset(own | {ancestor.__name__ for class_ in self.standard for ancestor in class_.__mro__})


def read_lineage(
    module: Module,
    class_: str,
    base_of: Callable[[Module, str], Base],
    is_anything: Callable[[str], bool],
    *,
    declared: bool,
) -> Lineage:
    """A class with its ancestors, nearest first; `base_of` tells what a base's text names in a module, `is_anything`
    whether a stub says of a name that it may be anything, so that such a base declares no members.

    `declared` says that stubs have the classes, which get no members from a metaclass or a decorator.
    """
    classes: dict[tuple[str, str], tuple[Module, str]] = {}
    bases: dict[tuple[str, str], list[tuple[str, str]]] = {}
    standard: list[type] = [object]
    unknown: list[str] = []
    special: list[str] = []
    attributes: list[str] = []
    outside: list[str] = []
    anything: list[str] = []
    metaclasses: dict[str, frozenset[str]] = {}
    waiting = [(module, class_)]
    while waiting:
        owner, local = waiting.pop(0)
        if (owner.name, local) in classes:
            continue
        classes[owner.name, local] = owner, local
        for fact in owner.definitions.get(local, ()):
            text = metaclass_of(owner, fact)
            names = names_given(owner, text, base_of) if text else frozenset()
            if names is None or names:
                metaclasses[text] = names or frozenset()
            # Where a class of a stub derives from one of the code, what that gets at run time is nothing the stub says.
            if not (declared and fact.tag is Tag.CODE):
                made = class_makers(owner, local, fact, declared=declared)
                if text and names is None and not declared:
                    made.append(f"{local} is made by the metaclass {text}")
                unknown.extend((*instance_makers(owner, local, fact), *made))
                special.extend(made)
                attributes.extend(attribute_makers(owner, local))
            for text in fact.aspects.get("bases", []):
                base = base_of(owner, text)
                if base == (owner, local):
                    # A class that is called like its base: the name meant another class before.
                    base = base_class(text) or text
                if isinstance(base, type):
                    standard.append(base)
                elif isinstance(base, str):
                    kept = anything if declared and is_anything(base) else outside
                    kept.append(f"{local} inherits from {base}, which is outside the project")
                else:
                    waiting.append(base)
                    bases.setdefault((owner.name, local), []).append((base[0].name, base[1]))
    order = linearised((module.name, class_), bases)
    return Lineage(
        tuple(classes[key] for key in order or classes),
        tuple(standard),
        unknown=next(iter(outside + unknown + attributes), ""),
        unknown_methods=next(iter(outside + unknown), ""),
        unknown_special=next(iter(outside + special), ""),
        outside=next(iter(outside + anything), ""),
        metaclass=next(iter(metaclasses), ""),
        given=frozenset().union(*metaclasses.values()),
    )
