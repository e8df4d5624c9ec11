"""One witness's modules by name: what each defines, imports and publishes, loaded only when asked for."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

import msgspec

from crossval.compare.annotations import Scope
from crossval.compare.typenames import resolve
from crossval.link.names.aliases import Aliases
from crossval.link.names.automatic import with_automatic_values
from crossval.link.names.branches import cover_all
from crossval.link.names.functional import written_out
from crossval.link.names.imported import for_annotations, imported
from crossval.link.names.listings import Listings
from crossval.link.names.makers import Makers
from crossval.link.names.of_others import OfOthers
from crossval.link.names.replaced import replaced_later
from crossval.link.names.starred import Starred
from crossval.link.names.targets import Target
from graph.compiled import compiled
from graph.facts import Fact, Kind, Tag
from graph.source import FactSource

_VARIANT = compiled(r"~\d+")
_DEFINITIONS = frozenset({Kind.CLASS, Kind.FUNCTION, Kind.ATTRIBUTE})
_STUB_SUFFIX = ".pyi"
_FAILED = ("ImportError", "ModuleNotFoundError")


class Module(msgspec.Struct, frozen=True):
    """What one witness says of one module.

    `definitions` maps a name within the module (`Cart`, `Cart.total`) to all its variants in source order, and
    `members` a class's name to the names that it defines itself. `exports` is `__all__` where it is known;
    `computed_exports` says that there is one which is not, `surely_exports` that this is so in any case, and
    `surely_exported` what it has then. `reexports`
    are the names that a stub imports as themselves, `elsewhere` those that are defined for other targets only,
    `for_checkers` those that only type checkers see, and `replaced` those of its definitions that a later import from
    outside the project puts something else in the place of, or may.
    """

    name: str
    facts: tuple[Fact, ...]
    definitions: dict[str, tuple[Fact, ...]]
    members: dict[str, tuple[str, ...]]
    imports: dict[str, str]
    stars: tuple[str, ...]
    exports: frozenset[str] | None
    computed_exports: bool
    surely_exports: bool
    surely_exported: frozenset[str]
    reexports: frozenset[str]
    elsewhere: frozenset[str]
    for_checkers: frozenset[str]
    replaced: frozenset[str]
    scope: Scope

    @property
    def fact(self) -> Fact:
        """The module's own fact; the first, where several files make one module."""
        return self.facts[0]

    @property
    def top_level(self) -> list[str]:
        """The names that are defined in the module itself."""
        return [name for name in self.definitions if "." not in name]

    def is_guarded(self, local: str) -> bool:
        """Whether a name, or what it belongs to, is defined under conditions only."""
        while local:
            if local in self.definitions and _is_conditional(self.definitions[local]):
                return True
            local = local.rpartition(".")[0]
        return False


class Library:
    """All modules of one witness: stubs for the spec, sources for the code; without what the target does not have."""

    def __init__(self, source: FactSource, tag: Tag, target: Target, *, interfaces: bool = False) -> None:
        """`interfaces` adds to the code the ordinary modules that are read as specs; they are no stubs."""
        self._source = source
        self._interfaces = interfaces
        self.tag = tag
        self._target = target
        self._held: dict[str, bool | None] = {}
        self._elsewhere: dict[str, set[str]] = {}
        self._for_checkers: dict[str, set[str]] = {}
        self._facts: dict[str, list[Fact]] = {}
        self._tags = (tag, Tag.SPEC) if interfaces and tag is not Tag.SPEC else (tag,)
        for each in self._tags:
            for fact in source.facts(tag=each, kinds={Kind.MODULE}):
                if self._is_ours(fact):
                    self._facts.setdefault(source.module_of(fact) or fact.key, []).append(fact)
        self._loaded: dict[str, Module] = {}
        self._makers = Makers(self)
        self._aliases = Aliases(self)
        self._listings = Listings(self._facts, self._imports)
        self.classes: frozenset[str] = frozenset()

    @property
    def is_for_own_python(self) -> bool:
        """Whether the target is of the version that runs this program."""
        return self._target.python == sys.version_info[:2]

    @property
    def names(self) -> Collection[str]:
        """The dotted names of all modules."""
        return self._facts.keys()

    @property
    def packages(self) -> frozenset[str]:
        """The first components of all names."""
        return frozenset(name.partition(".")[0] for name in self._facts)

    @property
    def imported(self) -> frozenset[str]:
        """The qualified names of all that the modules import."""
        return frozenset(
            target
            for facts in self._facts.values()
            for fact in facts
            for _, target, _ in fact.aspects.get("imports", [])
        )

    @property
    def imported_packages(self) -> frozenset[str]:
        """The first components of all that the modules import."""
        return frozenset(target.partition(".")[0] for target in self.imported)

    @cached_property
    def of_others(self) -> OfOthers:
        """What the modules do to things that others of them define."""
        return OfOthers([fact for each in self._facts.values() for fact in each])

    def load(self, names: Iterable[str], classes: frozenset[str] = frozenset()) -> frozenset[str]:
        """Read these modules at once and return the names of the classes that they define.

        `classes` are those of the other witness; annotations take both for classes, and no aliases.
        """
        wanted = [name for name in names if name in self._facts]
        definitions = self._definitions(wanted)
        found = frozenset(
            fact.key
            for facts in definitions.values()
            for fact in facts
            if fact.kind is Kind.CLASS and _is_plain(fact)
        )
        self.classes = classes or found
        for name in wanted:
            self._loaded[name] = self._module(name, definitions.get(name, []))
        return found

    def module(self, name: str) -> Module | None:
        """A module by its dotted name, or None where this witness has none."""
        if name not in self._facts:
            return None
        if name not in self._loaded:
            self._loaded[name] = self._module(name, self._definitions([name]).get(name, []))
        return self._loaded[name]

    @property
    def loaded(self) -> list[Module]:
        """The modules that were asked for until now."""
        return list(self._loaded.values())

    def owner(self, qualified: str) -> tuple[str, str] | None:
        """The longest module name that a qualified name begins with, and the rest; None outside the project."""
        head, rest = qualified, ""
        while head:
            if head in self._facts:
                return head, rest
            head, _, last = head.rpartition(".")
            rest = f"{last}.{rest}" if rest else last
        return None

    def offers(self, module: Module, name: str) -> bool:
        """Whether a star import brings a name, or may; a stub keeps what it imports under no name of its own."""
        if module.exports is not None:
            return name in module.exports
        if module.computed_exports and name.startswith("_"):
            return True
        kept = self.tag is Tag.SPEC and name in module.imports and name not in module.reexports
        return not name.startswith("_") and not (kept and name not in module.definitions)

    def _brought(self, stars: Iterable[str], name: str) -> str | None:
        """The qualified name of what the last of these star imports that have a name brings under it."""
        for target in reversed(tuple(stars)):
            module = self.module(target)
            if module is None or not self.offers(module, name):
                continue
            if name in module.definitions:
                return f"{module.name}.{name}"
            imported_or_brought = module.scope.known(name)
            if imported_or_brought is not None:
                return imported_or_brought
        return None

    def _is_ours(self, fact: Fact) -> bool:
        if fact.tag is Tag.CODE:
            return self.tag is Tag.CODE
        return fact.source.path.endswith(_STUB_SUFFIX) is not self._interfaces

    def _definitions(self, names: Collection[str]) -> dict[str, list[Fact]]:
        grouped: dict[str, list[Fact]] = {}
        for tag in self._tags if names else ():
            for fact in self._source.facts(tag=tag, kinds=_DEFINITIONS, modules=names):
                if not self._is_ours(fact) or fact.aspects.get("deleted"):
                    continue
                if "<locals>" in fact.key:
                    if fact.kind is Kind.FUNCTION:
                        self._makers.add(fact)
                    continue
                there = self._on_target(fact)
                name = self._source.module_of(fact)
                if there is not None:
                    grouped.setdefault(name, []).append(there)
                else:
                    local = _local(fact, name)
                    self._elsewhere.setdefault(name, set()).add(local)
                    if self._target.holds(fact.aspects["guard"], type_checking=True):
                        self._for_checkers.setdefault(name, set()).add(local)
        return grouped

    def _on_target(self, fact: Fact) -> Fact | None:
        """The definition as the target has it: without a guard that holds; None where the guard does not hold."""
        guard = fact.aspects.get("guard")
        if guard is None:
            return fact
        held = self._holds(guard)
        if held is None:
            return fact
        plain = {aspect: value for aspect, value in fact.aspects.items() if aspect != "guard"}
        return msgspec.structs.replace(fact, aspects=plain) if held else None

    def _holds(self, guard: str) -> bool | None:
        """Whether a condition is true on the target; None where that is not known."""
        if guard not in self._held:
            self._held[guard] = self._target.holds(guard, type_checking=self.tag is Tag.SPEC)
        return self._held[guard]

    def _imports(self, facts: Iterable[Fact]) -> dict[str, str]:
        """Local name → qualified name; a name that may stand for several things stands for none that is known.

        What only a handler imports is not meant where the project itself has what was tried.
        """
        found: dict[str, str] = {}
        for fact in facts:
            handled = {line for line, guard in fact.aspects.get("import_guards", []) if _is_handler(guard)}
            for local, target, line in imported(fact, self._holds):
                if local == "*":
                    continue
                if local == target:
                    local = target = target.partition(".")[0]
                known = found.setdefault(local, target)
                if known == target or resolve(known, {}) == resolve(target, {}):
                    continue
                if line not in handled or self.owner(known) is None:
                    found[local] = f"?.{local}"
        return found

    def _is_made_up_for(self, local: str, definitions: Iterable[Fact], imports: dict[str, str]) -> bool:
        """Whether a name, or what it belongs to, is only defined for a failed import of what the project itself has."""
        target = imports.get(local.partition(".")[0], "").rpartition(".")[0]
        return target in self._facts and all(
            _is_handler(fact.aspects.get("guard", "")) for fact in definitions
        )

    def _module(self, name: str, definitions: list[Fact]) -> Module:
        facts = tuple(self._facts[name])
        own: dict[str, list[Fact]] = {}
        for fact in sorted(definitions, key=lambda fact: (fact.source, fact.id)):
            own.setdefault(_local(fact, name), []).append(fact)
        imports = self._imports(facts)
        own = {
            local: found for local, found in own.items() if not self._is_made_up_for(local, found, imports)
        }
        names = {local: f"{name}.{local}" for local in own if "." not in local} | imports
        own = with_automatic_values(written_out(own, names), names)
        members: dict[str, list[str]] = {}
        for local in own:
            parent, _, member = local.rpartition(".")
            if parent:
                members.setdefault(parent, []).append(member)
        exports = self._listings.whole(name, facts, imports)
        stars = tuple(
            target for fact in facts for local, target, _ in imported(fact, self._holds) if local == "*"
        )
        known: Mapping[str, str] = for_annotations(facts, self._target) | names
        if any(star in self._facts for star in stars):
            known = Starred(known, lambda wanted: self._brought(stars, wanted))
        return Module(
            name=name,
            facts=facts,
            definitions={local: tuple(variants) for local, variants in own.items()},
            members={parent: tuple(children) for parent, children in members.items()},
            imports=imports,
            stars=stars,
            exports=exports,
            computed_exports=exports is None and any(fact.aspects.get("exports_computed") for fact in facts),
            surely_exports=any(fact.aspects.get("exports_surely") for fact in facts),
            surely_exported=self._listings.surely(name, facts, imports),
            reexports=frozenset(name for fact in facts for name in fact.aspects.get("reexports", [])),
            elsewhere=frozenset(self._elsewhere.get(name, set()) - own.keys()),
            for_checkers=frozenset(self._for_checkers.get(name, set()) - own.keys()),
            replaced=replaced_later(
                own, (each for fact in facts for each in imported(fact, self._holds)), self.owner
            )
            if self.tag is Tag.CODE
            else frozenset(),
            scope=Scope(known, self.classes, self._makers, self._aliases),
        )


def _local(fact: Fact, module: str) -> str:
    """What a module calls a definition of its own, whichever of several of that name it is."""
    key = _VARIANT.sub("", fact.key) if "~" in fact.key else fact.key
    return key.removeprefix(f"{module}.")


def _is_handler(guard: str) -> bool:
    """Whether an import stands in the handler of a failed one, under no other condition."""
    return guard.startswith("except") and any(word in guard for word in _FAILED) and " and " not in guard


def _is_conditional(variants: Iterable[Fact]) -> bool:
    """Whether there is a way around all definitions of a name."""
    guards: list[str] = []
    for fact in variants:
        if not (guard := fact.aspects.get("guard", "")):
            return False
        guards.append(guard)
    return not cover_all(guards)


def _is_plain(class_: Fact) -> bool:
    """Whether a class is no protocol and no typed dictionary, for which other types may stand in."""
    return not any("Protocol" in base or "TypedDict" in base for base in class_.aspects.get("bases", []))
