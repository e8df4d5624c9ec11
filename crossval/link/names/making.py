"""What gives modules, classes and instances names that no statement of theirs shows."""

from __future__ import annotations

from crossval.compare.decorators import named_metaclass, unknown_class_decorator
from crossval.link.names.modules import Module
from graph.facts import Fact

PLAIN_METACLASSES = frozenset({"type", "abc.ABCMeta", "enum.EnumMeta", "enum.EnumType"})
"""Those of the standard library that leave a class as its statement makes it."""


def is_dynamic(module: Module) -> bool:
    """Whether a module makes names, its own or those of its classes, when it runs."""
    return any(fact.aspects.get("dynamic") for fact in module.facts)


def made_names(module: Module) -> frozenset[str] | None:
    """The names that a module gives itself when it runs; None where an enumeration of others says them."""
    names: set[str] = set()
    for fact in module.facts:
        names.update(fact.aspects.get("made_names", ()))
        for text in fact.aspects.get("made_members", ()):
            members = module.members.get(text)
            if members is None:
                return None
            names.update(name for name in members if not name.startswith("_"))
    return frozenset(names)


def answered_names(module: Module) -> frozenset[str] | None:
    """The names that a module's own `__getattr__` may answer; None where it has none, or they are not known."""
    if "__getattr__" not in module.definitions:
        return None
    names: set[str] = set()
    for fact in module.facts:
        told: list[str] | None = fact.aspects.get("answers")
        if told is None:
            return None
        names.update(told)
    return frozenset(names)


def answered_with(module: Module, name: str) -> str:
    """The qualified name of what a module's own `__getattr__` imports for a name, or an empty text."""
    return next(
        (with_[name] for fact in module.facts if name in (with_ := fact.aspects.get("answers_with", {}))), ""
    )


def _sets_members(module: Module) -> bool:
    """Whether a function of a module sets computed names of things that may be any of its classes."""
    return any(fact.aspects.get("dynamic_classes") is True for fact in module.facts)


def attribute_makers(module: Module, local: str) -> list[str]:
    """Why instances of a class may have attributes that no definition shows, but hardly methods: a function of its
    module sets computed names of what some instance holds."""
    sets = any(fact.aspects.get("dynamic_classes") for fact in module.facts)
    return [f"{local} may get members at run time"] if sets else []


def handed_to_a_function(module: Module, local: str, name: str) -> bool:
    """Whether a statement of a class's module hands the class and a name to a function, which may make it a member."""
    return any([local, name] in fact.aspects.get("handed_members", ()) for fact in module.facts)


def metaclass_of(module: Module, class_: Fact) -> str:
    """The metaclass of a class as written, or an empty text where it is a standard one, which leaves the class as it
    is."""
    text = named_metaclass(class_, module.scope)
    return "" if module.scope.resolve(text) in PLAIN_METACLASSES else text


def instance_makers(module: Module, local: str, class_: Fact) -> list[str]:
    """Why instances of a class may have members that no definition shows."""
    reasons = []
    if class_.aspects.get("dynamic") or is_dynamic(module) or _sets_members(module):
        reasons.append(f"{local} may get members at run time")
    if any(f"{local}.{hook}" in module.definitions for hook in ("__getattr__", "__getattribute__")):
        reasons.append(f"{local} answers any name through __getattr__")
    return reasons


def class_makers(module: Module, local: str, class_: Fact, *, declared: bool) -> list[str]:
    """What may add members to a class itself, apart from its metaclass; one that a stub declares gets none from a
    decorator."""
    made = class_.aspects.get("dynamic") is True or is_dynamic(module)
    reasons = [f"{local} may get members at run time"] if made else []
    decorator = unknown_class_decorator(class_, module.scope)
    if decorator is not None and not declared:
        reasons.append(f"the decorator {decorator} may add to {local}")
    return reasons
