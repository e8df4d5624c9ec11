"""Members that a class has without a definition of its own: its slots, and what decorators make."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from crossval.compare.decorators import decorator_names
from crossval.compare.parameters import POSITIONAL_OR_KEYWORD
from crossval.compare.values import read_literal
from crossval.link.names.class_fields import is_protocol
from crossval.link.names.constructors import constructor, is_generated
from crossval.link.names.found import Found, Presence
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Module
from crossval.link.names.publicity import is_special
from graph.facts import Fact, Json, Kind

_COMPARISONS = ("__lt__", "__le__", "__gt__", "__ge__")
_ORDERING = "functools.total_ordering"
_DATACLASS = "dataclasses.dataclass"
_BY_DATACLASS = frozenset(
    {
        *_COMPARISONS,
        "__init__",
        "__repr__",
        "__eq__",
        "__hash__",
        "__match_args__",
        "__setattr__",
        "__delattr__",
    }
    | {
        "__slots__",
        "__getstate__",
        "__setstate__",
        "__replace__",
        "__dataclass_fields__",
        "__dataclass_params__",
    }
)
_ADDED = {
    _ORDERING: frozenset(_COMPARISONS),
    _DATACLASS: _BY_DATACLASS,
    **dict.fromkeys(("typing.final", "typing.runtime_checkable"), frozenset[str]()),
}
"""What a decorator of the standard library may add to a class."""


def implied_members(lookup: Lookup, module: Module, local: str) -> Iterator[Fact]:
    """What a class that has one definition has beside the names that its body binds, each as if it were written."""
    facts = module.definitions.get(local, ())
    if len(facts) != 1 or facts[0].kind is not Kind.CLASS:
        return
    class_ = facts[0]
    own = frozenset(
        name
        for name in module.members.get(local, ())
        if not all(fact.aspects.get("instance") for fact in module.definitions[f"{local}.{name}"])
    )
    for name in _slots(module, local):
        if name not in own:
            yield _attribute(class_, name)
    if not class_.aspects.get("decorators"):
        return
    decorators = decorator_names(class_, module.scope)
    if _ORDERING in decorators or (_DATACLASS in decorators and _is_ordered(class_)):
        yield from (_comparison(class_, name) for name in _COMPARISONS if name not in own)
    made = constructor(lookup, Found(Presence.PRESENT, facts, module, local))
    if made is not None and made.generated:
        yield made.fact


def absent_method(lookup: Lookup, module: Module, local: str) -> Found | None:
    """What stands for a special method that no class of the code defines, but that one may have all the same."""
    parent, _, name = local.rpartition(".")
    owner = lookup.find(module, parent) if parent and is_special(name) else None
    if owner is None or owner.module is None:
        return None
    if name == "__init__" and is_generated(lookup, owner.module, owner.local):
        return Found(Presence.UNKNOWN, reason=f"the fields of {parent} make it")
    if name == "__init__" and is_protocol(owner.module, owner.facts):
        return Found(Presence.UNKNOWN, reason="protocols have a constructor of their own")
    decorators = [each for fact in owner.facts for each in decorator_names(fact, owner.module.scope)]
    may = any(each not in _ADDED or name in _ADDED[each] for each in decorators)
    return Found(Presence.UNKNOWN, reason=f"a decorator of {parent} may add it") if may else None


def _slots(module: Module, local: str) -> Iterator[str]:
    """The names that a literal `__slots__` of the class itself lists."""
    facts = module.definitions.get(f"{local}.__slots__", ())
    text = facts[0].aspects.get("value") if len(facts) == 1 else None
    literal = read_literal(text) if isinstance(text, str) else None
    listed = literal.value if literal is not None else ()
    for name in [listed] if isinstance(listed, str) else listed if isinstance(listed, tuple | list) else ():
        if isinstance(name, str) and not name.startswith("_"):
            yield name


def _is_ordered(class_: Fact) -> bool:
    return any("order=True" in text.replace(" ", "") for text in class_.aspects.get("decorators", []))


def _attribute(class_: Fact, name: str) -> Fact:
    return msgspec.structs.replace(
        class_, kind=Kind.ATTRIBUTE, key=f"{class_.key}.{name}", name=name, aspects={}
    )


def _comparison(class_: Fact, name: str) -> Fact:
    line = class_.source.line
    rows: list[Json] = [[each, POSITIONAL_OR_KEYWORD, None, None, line] for each in ("self", "other")]
    aspects: dict[str, Json] = {"kind": "method", "async": False, "parameters": rows, "decorators": []}
    return msgspec.structs.replace(
        class_, kind=Kind.FUNCTION, key=f"{class_.key}.{name}", name=name, aspects=aspects
    )
