"""Under which public names modules offer what other modules define: `shop.Cart` for `shop._cart.Cart`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from crossval.link.names.targets import Target
from graph.facts import Fact, Kind, Tag
from graph.source import FactSource

_DEPTH = 5
_FALLBACK = re.compile(r"except \(?(?:ImportError|ModuleNotFoundError)\b")


def is_private(name: str) -> bool:
    """Whether a dotted name has a part that is nobody else's business."""
    return any(part.startswith("_") and not part.endswith("__") for part in name.split("."))


def offered(source: FactSource) -> dict[str, str]:
    """The public names of what private modules define, by the qualified names that it has there.

    A module offers what its `__all__` names, without one what its stub imports as itself, or what its code imports
    where it is a package's face and has no stub. Of several names the shortest counts.
    """
    modules: dict[str, Fact] = {}
    for tag in (Tag.SPEC, Tag.CODE):
        for fact in source.facts(tag=tag, kinds={Kind.MODULE}):
            modules.setdefault(fact.key, fact)
    defined: dict[str, list[str]] = {}
    for tag in (Tag.SPEC, Tag.CODE):
        for fact in source.facts(tag=tag, kinds={Kind.CLASS, Kind.FUNCTION, Kind.ATTRIBUTE}):
            holder, _, name = fact.key.rpartition(".")
            if holder in modules:
                defined.setdefault(holder, []).append(name)
    found: dict[str, str] = {}
    for name in sorted(modules, key=lambda each: (each.count("."), each)):
        if not is_private(name):
            for local, origin in _offers(modules[name], modules, defined):
                if is_private(origin) and origin != f"{name}.{local}":
                    found.setdefault(origin, f"{name}.{local}")
    return found


def public(key: str, names: Mapping[str, str]) -> str:
    """The public name of a qualified one, by those that `offered` gives; itself where it is offered nowhere."""
    parts = key.split(".")
    for length in range(len(parts), 0, -1):
        if found := names.get(".".join(parts[:length])):
            return ".".join([found, *parts[length:]])
    return key


def sometimes_there(source: FactSource, target: Target) -> frozenset[str]:
    """The qualified names of what the code defines only under conditions of which nobody knows whether they hold, such
    as that another package is installed, or otherwise where it is not (`except ImportError`).

    What has a name without a condition, too, is there.
    """
    guards: dict[str, list[str]] = {}
    for fact in source.facts(tag=Tag.CODE, kinds={Kind.CLASS, Kind.FUNCTION, Kind.ATTRIBUTE}):
        guards.setdefault(fact.unnumbered, []).append(str(fact.aspects.get("guard", "")))
    return frozenset(
        key
        for key, listed in guards.items()
        if any(listed)
        and (
            any(map(_FALLBACK.match, listed))
            or not any(not each or target.holds(each, type_checking=False) for each in listed)
        )
    )


def is_below(key: str, names: frozenset[str]) -> bool:
    """Whether a qualified name is one of these, or lies inside of one."""
    parts = key.split(".")
    return any(".".join(parts[:length]) in names for length in range(len(parts), 0, -1))


def _offers(
    module: Fact, modules: Mapping[str, Fact], defined: Mapping[str, list[str]]
) -> Iterator[tuple[str, str]]:
    """What a module offers that others of the project define: the name that it has here, and its qualified one."""
    listed = module.aspects.get("exports")
    wanted = set(module.aspects.get("reexports", ())) if listed is None else set(listed)
    is_face = listed is None and module.tag is Tag.CODE and bool(module.aspects.get("package"))
    for local, target, *_ in module.aspects.get("imports", ()):
        if local == "*":
            names = modules[target].aspects.get("exports") if target in modules else None
            for name in defined.get(target, ()) if names is None else names:
                if not is_private(name) and (listed is None or name in wanted):
                    yield name, _origin(f"{target}.{name}", modules)
        elif local in wanted or (is_face and not is_private(local)):
            yield local, _origin(target, modules)


def _origin(name: str, modules: Mapping[str, Fact], depth: int = _DEPTH) -> str:
    """Where a name is defined that modules of the project may hand on."""
    holder, _, last = name.rpartition(".")
    for local, target, *_ in modules[holder].aspects.get("imports", ()) if holder in modules else ():
        if local == last and target != name and depth:
            return _origin(target, modules, depth - 1)
    return name


def is_behind_overloads(fact: Fact, coded: Mapping[str, Sequence[Fact]]) -> bool:
    """Whether a function is what several signatures of the same name stand for: its docstring tells of all of them."""
    first = coded.get(fact.unnumbered, ()) if "~" in fact.key else ()
    is_told = any(each.aspects.get("overload") for each in first)
    return is_told and fact.kind is Kind.FUNCTION and not fact.aspects.get("overload")
