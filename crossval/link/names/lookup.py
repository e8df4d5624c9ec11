"""Finds what a name means for one witness: through imports, star imports, submodules, aliases and base classes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crossval.compare.library import library_constants, library_names
from crossval.compare.typenames import base_class, has_member, may_set, refuses
from crossval.link.names.found import Found, Presence
from crossval.link.names.lineage import Base, Lineage, read_lineage
from crossval.link.names.making import (
    answered_names,
    answered_with,
    handed_to_a_function,
    is_dynamic,
    made_names,
)
from crossval.link.names.modules import Library, Module
from crossval.link.names.plain_values import STANDARD_VALUES, holds_plain_value
from crossval.link.names.publicity import is_special
from graph.compiled import compiled
from graph.facts import Kind, Tag

_DOTTED = compiled(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
_THROUGH_ITEMS = frozenset({"__iter__", "__contains__", "__reversed__"})
_WITHOUT_INSTANCE_NAMES = frozenset({"builtins", "abc", "collections.abc", "enum", "typing"})
# `object` has these for the machinery alone: a class that is said to define them answers other assignments.
_OF_MACHINERY = frozenset({"__setattr__", "__delattr__"})
_ANYTHING = frozenset({"typing.Any", "typing_extensions.Any", "_typeshed.Incomplete"})
_MOST_IMPORTS = 4
_LONGEST_CHAIN = 2
_ABSENT = Found(Presence.ABSENT)
_ELSEWHERE = Found(Presence.PRESENT)


class Lookup:
    """Looks names up in the modules of one witness.

    `beyond` looks up what a base names of a module that this one does not have: not all modules need to have stubs.
    """

    def __init__(self, library: Library, beyond: Lookup | None = None) -> None:
        self._library = library
        self._beyond = beyond
        self._lineages: dict[tuple[str, str], Lineage] = {}

    def find(self, module: Module, local: str) -> Found:
        """What a name (`Cart`, `Cart.total`) means in a module."""
        parent, _, name = local.rpartition(".")
        if not parent:
            return self._top_level(module, name, set())
        owner = self.find(module, parent)
        if owner.presence is not Presence.PRESENT:
            return owner
        if owner.facts and all(fact.kind is Kind.ATTRIBUTE for fact in owner.facts):
            owner = self.follow_alias(owner)
        if owner.module is None or any(fact.kind is not Kind.CLASS for fact in owner.facts):
            return Found(Presence.UNKNOWN, reason=f"{parent} is not known to be a class of the project")
        return self._member(owner.module, owner.local, name)

    def follow_alias(self, found: Found, links: int = _LONGEST_CHAIN) -> Found:
        """What an attribute stands for, where its value is another name, or one of such an attribute; else unknown."""
        around = found.module.facts if found.module is not None else ()
        if any(found.local in fact.aspects.get("set_anew", ()) for fact in around):
            return Found(Presence.UNKNOWN, reason="a function of its module sets it anew")
        target = self._named_by(found)
        if target is not None and all(fact.kind is not Kind.ATTRIBUTE for fact in target.facts):
            return target
        if target is not None and links and target.has_one_value:
            return self.follow_alias(target, links - 1)
        return Found(Presence.UNKNOWN, reason="it is assigned a value that only running the code would tell")

    def _named_by(self, found: Found) -> Found | None:
        """What the value of an attribute names; None where it is no name, or one of nothing that is known."""
        values = {fact.aspects.get("value") or "" for fact in found.facts}
        text = values.pop() if len(values) == 1 else ""
        if found.module is None or not _DOTTED.fullmatch(text):
            return None
        sibling = f"{found.local.rpartition('.')[0]}.{text}"
        if sibling in found.module.definitions:
            return Found(Presence.PRESENT, found.module.definitions[sibling], found.module, sibling)
        named = self._qualified(found.module.scope.resolve(text), set())
        return named if named.facts else None

    def lineage(self, module: Module, class_: str) -> Lineage:
        """A class with its ancestors, nearest first, as far as they are known."""
        key = (module.name, class_)
        if key not in self._lineages:
            self._lineages[key] = Lineage((), (), f"{class_} inherits from itself")
            declared = self._library.tag is Tag.SPEC
            self._lineages[key] = read_lineage(
                module, class_, self.base, self._is_anything, declared=declared
            )
        return self._lineages[key]

    def _is_anything(self, qualified: str) -> bool:
        """Whether a stub says of what has a qualified name, or of a variable of its own, that it may be anything."""
        if qualified in _ANYTHING:
            return True
        found = self._qualified(qualified, set())
        said = {fact.aspects.get("annotation") or "" for fact in found.facts}
        return found.module is not None and all(
            found.module.scope.resolve(text) in _ANYTHING for text in said
        )

    def base(self, module: Module, text: str) -> Base:
        """The class that a base's source text names: in the project, a standard one, or an unknown one's name."""
        name = text.partition("[")[0].strip()
        if not _DOTTED.fullmatch(name):
            return text
        qualified = module.scope.resolve(name)
        found = self._qualified(qualified, set())
        if found.facts and all(fact.kind is Kind.ATTRIBUTE for fact in found.facts):
            standard = self._standard_alias(found)
            if standard is not None:
                return standard
            found = self.follow_alias(found)
        if found.module is not None and found.facts and all(fact.kind is Kind.CLASS for fact in found.facts):
            return found.module, found.local
        qualified = self._passed_on(qualified)
        return base_class(qualified) or self._class_beyond(qualified) or qualified

    def _class_beyond(self, qualified: str) -> tuple[Module, str] | None:
        """The class that a qualified name means in a module which only the other witness has."""
        owner = self._beyond._library.owner(qualified) if self._beyond is not None else None
        if self._beyond is None or owner is None or owner[0] in self._library.names:
            return None
        found = self._beyond._qualified(qualified, set())
        if found.module is None or any(fact.kind is not Kind.CLASS for fact in found.facts):
            return None
        return (found.module, found.local) if found.module.name not in self._library.names else None

    def _standard_alias(self, found: Found) -> type | None:
        """The standard class that an attribute stands for: `text_type = str`."""
        text = found.facts[0].aspects.get("value") or ""
        if len(found.facts) != 1 or found.module is None or not _DOTTED.fullmatch(text):
            return None
        qualified = found.module.scope.resolve(text)
        return base_class(qualified) if self._library.owner(qualified) is None else None

    def _passed_on(self, qualified: str) -> str:
        """The name from outside the project that one of its modules imports and others take from there."""
        for _ in range(_MOST_IMPORTS):
            module_name, rest = self._library.owner(qualified) or ("", "")
            module = self._library.module(module_name) if rest else None
            if module is None or rest in module.definitions or rest not in module.imports:
                break
            qualified = module.scope.resolve(rest)
        return qualified

    def constant(self, module: Module, dotted: str) -> tuple[Module, str] | None:
        """The module of the project, and the name in it, that a name means as no member of a class; else None."""
        found = self._qualified(module.scope.resolve(dotted), set())
        return (found.module, found.local) if found.module is not None and "." not in found.local else None

    def is_own(self, qualified: str) -> bool:
        """Whether a qualified name begins with a module of the project."""
        return self._library.owner(qualified) is not None

    def has_class(self, module_name: str, local: str) -> bool:
        """Whether a module of this name defines a class."""
        module = self._library.module(module_name)
        facts = module.definitions.get(local, ()) if module is not None else ()
        return any(fact.kind is Kind.CLASS for fact in facts)

    def starred_constants(self, module: Module) -> Iterator[tuple[str, Found]]:
        """The public constants that star imports bring to a module from others of the project, in their order.

        Functions and classes tell where they come from; a plain value does not, and so belongs to who offers it.
        """
        names: dict[str, None] = {}
        standard: dict[str, None] = {}
        stars = self._loaded_stars(module)
        seen, waiting = {module.name}, list(stars)
        while waiting:
            star = waiting.pop(0)
            starred = self._library.module(star)
            if starred is None:
                standard |= dict.fromkeys(library_constants(star))
            elif starred.name not in seen:
                seen.add(starred.name)
                names |= dict.fromkeys((*starred.top_level, *starred.imports))
                waiting += self._loaded_stars(starred)
        for name in names | standard:
            if name in module.definitions or name in module.imports or name.startswith("_"):
                continue
            found = self._starred(module, name, {(module.name, name)}, stars)
            if found.facts and all(map(holds_plain_value, found.facts)):
                # One that is only given where an import fails is what was imported where it does not.
                if found.module is None or name not in found.module.imports:
                    yield name, found
            elif found.presence is not Presence.PRESENT or found.facts:
                continue
            elif name in standard or any(self._brings_standard(star, name) for star in stars):
                yield name, Found(Presence.PRESENT)

    def _brings_standard(self, star: str, name: str) -> bool:
        """Whether a module that everything is imported from has a plain value of the standard library under a name."""
        module = self._library.module(star)
        imported = module.imports.get(name) if module is not None else None
        if module is None or imported is None or not self._library.offers(module, name):
            return False
        home, _, constant = imported.rpartition(".")
        return imported in STANDARD_VALUES or (home != "" and constant in library_constants(home))

    def _loaded_stars(self, module: Module) -> list[str]:
        """The modules from which a module imports everything, as far as they are loaded by then.

        A package that imports its own module has by then what it imported before that.
        """
        found = []
        for target in module.stars:
            package = self._library.module(target) if module.name.startswith(f"{target}.") else None
            if package is None:
                found.append(target)
                continue
            for star in package.stars:
                if self._loads(star, module.name, {target}):
                    break
                found.append(star)
        return found

    def _loads(self, name: str, wanted: str, seen: set[str]) -> bool:
        """Whether loading a module may load another of the project; those that were seen are being loaded."""
        module = self._library.module(name)
        if name == wanted or module is None or name in seen:
            return name == wanted
        seen.add(name)
        owners = (self._library.owner(target) for target in (*module.stars, *module.imports.values()))
        return any(self._loads(owner[0], wanted, seen) for owner in owners if owner is not None)

    def _member(self, module: Module, class_: str, name: str) -> Found:
        lineage = self.lineage(module, class_)
        for owner, local in lineage.classes:
            qualified = f"{local}.{name}"
            if qualified in owner.definitions:
                return Found(Presence.PRESENT, owner.definitions[qualified], owner, qualified)
        for owner, local in lineage.classes:
            slots = owner.definitions.get(f"{local}.__slots__", ())
            if any(f"{name!r}" in (fact.aspects.get("value") or "").replace('"', "'") for fact in slots):
                return Found(Presence.UNKNOWN, reason="it is only named in __slots__")
        inherited = any(has_member(ancestor, name) for ancestor in lineage.standard)
        if name in _OF_MACHINERY:
            inherited = any(
                name in vars(each) for ancestor in lineage.standard for each in ancestor.__mro__[:-1]
            )
        if inherited and not lineage.lacks_constructor(name):
            return _ELSEWHERE
        is_by_items = name in _THROUGH_ITEMS and not any(refuses(each, name) for each in lineage.standard)
        if is_by_items and any(
            f"{local}.__getitem__" in owner.definitions for owner, local in lineage.classes
        ):
            return Found(Presence.UNKNOWN, reason="__getitem__ alone makes a class iterable")
        for owner, local in lineage.classes:
            if handed_to_a_function(owner, local, name):
                return Found(Presence.UNKNOWN, reason=f"a function is given {local} and this name")
        if name in lineage.given:
            return _ELSEWHERE
        unknown = lineage.unknown_special if is_special(name) else lineage.unknown
        if unknown:
            of_instances = not lineage.unknown_special
            return Found(
                Presence.UNKNOWN,
                reason=unknown,
                perhaps_set=not lineage.unknown_methods,
                of_instances=of_instances,
            )
        for ancestor in lineage.standard:
            if ancestor.__module__ not in _WITHOUT_INSTANCE_NAMES and may_set(ancestor, name):
                reason = f"{ancestor.__module__}.{ancestor.__name__} may give it to instances"
                return Found(Presence.UNKNOWN, reason=reason, perhaps_set=True)
        return _ABSENT

    def _top_level(self, module: Module, name: str, seen: set[tuple[str, str]]) -> Found:
        """What a name means in a module; `seen` is where this search has been, so that circles of imports end."""
        if name in module.definitions:
            if name in module.replaced:
                return Found(Presence.UNKNOWN, reason=f"{module.name} may import another one in its place")
            return Found(Presence.PRESENT, module.definitions[name], module, name)
        if (module.name, name) in seen:
            return _ABSENT
        seen.add((module.name, name))
        if name in module.imports:
            return self._qualified(module.imports[name], seen)
        if f"{module.name}.{name}" in self._library.names:
            return _ELSEWHERE
        answers = answered_names(module)
        if answers is not None and name in answers:
            target = answered_with(module, name)
            return self._qualified(target, seen) if target else _ELSEWHERE
        if "__getattr__" in module.definitions and answers is None:
            return Found(Presence.UNKNOWN, reason=f"{module.name} answers any name through __getattr__")
        made = made_names(module)
        if made is not None and name in made:
            return _ELSEWHERE
        if made is None or is_dynamic(module):
            return Found(Presence.UNKNOWN, reason=f"{module.name} defines names at run time")
        if any(name in fact.aspects.get("set_by_functions", ()) for fact in module.facts):
            return Found(Presence.UNKNOWN, reason=f"a function of {module.name} sets it when it is called")
        return self._starred(module, name, seen)

    def _starred(
        self, module: Module, name: str, seen: set[tuple[str, str]], stars: Iterable[str] | None = None
    ) -> Found:
        unknown = _ABSENT
        for target in module.stars if stars is None else stars:
            starred = self._library.module(target)
            if starred is None:
                names = library_names(target)
                if names is not None and name in names:
                    return _ELSEWHERE
                if names is None or not self._library.is_for_own_python:
                    unknown = Found(
                        Presence.UNKNOWN, reason=f"{module.name} imports everything from {target}"
                    )
                continue
            if not self._library.offers(starred, name):
                continue
            found = self._top_level(starred, name, seen)
            if found.presence is Presence.PRESENT:
                return found
            if found.presence is Presence.UNKNOWN:
                unknown = found
        return unknown

    def _qualified(self, qualified: str, seen: set[tuple[str, str]]) -> Found:
        """What a qualified name means; what is imported is taken to be there, wherever it comes from.

        An import that fails does so when it runs; it is not what comparing definitions is about.
        """
        module_name, rest = self._library.owner(qualified) or ("", "")
        module = self._library.module(module_name) if rest else None
        if module is None:
            return _ELSEWHERE
        head, _, inner = rest.partition(".")
        found = self._top_level(module, head, seen)
        if inner:
            found = self.find(module, rest) if found.module is module else _ELSEWHERE
        return found if found.facts else _ELSEWHERE
