"""Aligns the protocols, abstract classes and dataclasses of modules that are read as specs with the code's classes."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.alignment import Alignment
from crossval.compare.decorators import decorator_names
from crossval.compare.discrepancies import Comparison, Discrepancy
from crossval.findings import witness
from crossval.link.definitions.pairing import Pairing
from crossval.link.names.found import Found, Presence
from crossval.link.names.kinds import compare_variants, kind_name
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Library, Module
from crossval.link.names.publicity import is_private, is_special
from crossval.link.names.targets import Target, running
from crossval.pairs import Stricter
from graph.facts import Fact, Kind, Tag
from graph.source import FactSource

_ABSTRACT_BASES = frozenset({"abc.ABC", "typing.Protocol"})
_DATACLASS = "dataclasses.dataclass"
# What the interface gives its heirs itself: in its body, or in a method of its own.
_SET = ("value", "instance", "of_instances")
_NEVER = frozenset({"NoReturn", "Never"})
_GIVEN = frozenset({"returns", "type"})


def align_interfaces(source: FactSource, target: Target | None = None) -> Alignment:
    """Pairs of what an interface asks for with what each class of the code has that derives from it.

    A protocol or dataclass from which no class derives is paired with the one class of the code that has its name.
    """
    target = target or running()
    specs = Library(source, Tag.SPEC, target, interfaces=True)
    if not specs.names:
        return Alignment()
    code = Library(source, Tag.CODE, target, interfaces=True)
    code.load(code.names)
    pairing = Pairing()
    interfaces = _Interfaces(specs, code, pairing)
    for name in sorted(specs.names):
        interfaces.of_module(name)
    return Alignment(pairing.pairs, pairing.unknown)


class _Interfaces:
    """Knows which classes of the code derive from which interface."""

    def __init__(self, specs: Library, code: Library, pairing: Pairing) -> None:
        self._specs = specs
        self._in_code = Lookup(code)
        self._pairing = pairing
        self._derived: dict[tuple[str, str], list[tuple[Module, str]]] = {}
        self._by_name: dict[str, list[tuple[Module, str]]] = {}
        for name in sorted(code.names):
            module = code.module(name)
            if module is None or name in specs.names:
                continue
            for local, facts in module.definitions.items():
                if facts[0].kind is Kind.CLASS:
                    self._enter(module, local)

    def _enter(self, module: Module, local: str) -> None:
        self._by_name.setdefault(local, []).append((module, local))
        for owner, ancestor in self._in_code.lineage(module, local).classes:
            if owner.name in self._specs.names:
                self._derived.setdefault((owner.name, ancestor), []).append((module, local))

    def of_module(self, name: str) -> None:
        """Compare all interfaces of one module with the classes that derive from them."""
        spec = self._specs.module(name)
        assert spec is not None, "the name of a spec has a module"
        for local, facts in spec.definitions.items():
            if len(facts) != 1 or facts[0].kind is not Kind.CLASS or not is_interface(spec, local):
                continue
            derived = self._derived.get((name, local), [])
            same = self._by_name.get(local, [])
            if not derived and len(same) == 1:
                derived = same
            for module, class_ in derived:
                if not is_interface(module, class_) or _is_dataclass(spec, local):
                    self._compare(spec, local, module, class_)

    def _compare(self, spec: Module, interface: str, module: Module, class_: str) -> None:
        owner = module.definitions[class_][0]
        for name in spec.members.get(interface, ()):
            ours = spec.definitions[f"{interface}.{name}"]
            if (is_private(name) and not is_special(name)) or name == "__init__":
                continue
            if is_special(name) and ours[0].kind is Kind.ATTRIBUTE:
                # `__slots__` and its like are each class's own.
                continue
            found = self._in_code.find(module, f"{class_}.{name}")
            kind = str(ours[0].kind)
            about = f"{kind} {module.name}.{class_}.{name}"
            reason = found.reason if found.presence is Presence.UNKNOWN else ""
            open_ = found.presence is Presence.ABSENT or self._is_left_open(found, spec)
            if open_ and not reason:
                reason = self._in_code.lineage(module, class_).unknown
            if reason:
                self._pairing.note(kind, owner, "exists", reason, about=about)
            elif open_:
                side = witness(ours[0], kind_name(ours[0]))
                self._pairing.gap(ours[0], spec=side, other=owner, about=about)
            elif found.module is not None and found.module.name not in self._specs.names:
                comparison = compare_variants(ours, found.facts, spec.scope, found.module.scope)
                broken = tuple(each for each in comparison.discrepancies if _is_broken(each, ours[0]))
                kept = Comparison(broken, comparison.silences)
                self._pairing.compared(kind, ours[0], found.facts[0], kept, about=about)

    def _is_left_open(self, found: Found, spec: Module) -> bool:
        """Whether a class has only what the interface itself asks for: an abstract method, or a bare annotation."""
        if found.module is None or found.module.name not in self._specs.names:
            return False
        return any(
            not any(each in fact.aspects for each in _SET)
            if fact.kind is Kind.ATTRIBUTE
            else "abc.abstractmethod" in decorator_names(fact, spec.scope)
            for fact in found.facts
        )


def is_interface(module: Module, local: str) -> bool:
    """Whether a class says what others have: a protocol, an abstract class, or a dataclass."""
    fact = module.definitions[local][0]
    bases = {module.scope.resolve(base.partition("[")[0]) for base in fact.aspects.get("bases", [])}
    if bases & _ABSTRACT_BASES or _is_dataclass(module, local):
        return True
    metaclass = fact.aspects.get("keywords", {}).get("metaclass", "")
    return module.scope.resolve(metaclass) == "abc.ABCMeta" or any(_abstract_methods(module, local))


def _abstract_methods(module: Module, local: str) -> Iterator[Fact]:
    for name in module.members.get(local, ()):
        for fact in module.definitions[f"{local}.{name}"]:
            if "abc.abstractmethod" in decorator_names(fact, module.scope):
                yield fact


def _is_dataclass(module: Module, local: str) -> bool:
    fact = module.definitions[local][0]
    return _DATACLASS in decorator_names(fact, module.scope)


def _is_broken(found: Discrepancy, ours: Fact) -> bool:
    """Whether who relies on the interface is let down: a class may take more, say more, and give what is more special
    than it asks for."""
    difference = found.difference
    if difference.change == "value" or ours.aspects.get("returns", "").rpartition(".")[2] in _NEVER:
        # A value is what a class has that says nothing else, and so is a method that always raises.
        return bool(found.place)
    if difference.change == "setter" and ours.kind is Kind.ATTRIBUTE:
        # What an interface only annotates is there to be read, so that a property will do.
        return False
    if difference.change in _GIVEN and difference.stricter is Stricter.CODE and not found.place:
        return False
    return difference.change != "marker" and (not found.place or difference.stricter is not Stricter.SPEC)
