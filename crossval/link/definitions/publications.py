"""From code to stub: what the code publishes and the stub does not declare, or merely inherits from elsewhere."""

from __future__ import annotations

from enum import Enum

from crossval.compare.accessors import compare_accessors
from crossval.compare.discrepancies import Comparison, Discrepancy
from crossval.compare.markers import compare_markers
from crossval.compare.parameters import VAR_KEYWORD, VAR_POSITIONAL
from crossval.findings import witness
from crossval.link.definitions.pairing import Pairing
from crossval.link.names.constructors import is_generated, other_constructor
from crossval.link.names.exports import everything, listed, lists_everything
from crossval.link.names.found import Found, Presence
from crossval.link.names.implied import implied_members
from crossval.link.names.instances import compare_made
from crossval.link.names.kinds import compare_variants, kind_name
from crossval.link.names.lookup import Lookup
from crossval.link.names.making import instance_makers, made_names
from crossval.link.names.modules import Library, Module
from crossval.link.names.publicity import deserves_stub, is_private, is_public, is_public_member, is_special
from crossval.link.names.standard import inherited_method, is_visit
from crossval.link.names.written_functions import meant
from graph.facts import Fact, Kind, Tag

_CONSTRUCTORS = frozenset({"__init__", "__new__"})
# How these are called, the classes say that derive from one, or the code that asks for its items.
_BY_CLASSES = frozenset({"__class_getitem__"})
_OF_CALLS = frozenset({"missing", "name", "order", "extra", "kind", "default", "default-type"})


class Publications:
    """Looks from the code's side at what stubs declare."""

    def __init__(self, in_stubs: Lookup, in_code: Lookup, pairing: Pairing, code: Library) -> None:
        self._in_stubs = in_stubs
        self._in_code = in_code
        self._pairing = pairing
        self._code = code

    def of_module(self, stub: Module, code: Module, shared: frozenset[str]) -> None:
        """Report what a module of the code publishes; `shared` are the classes that both sides define.

        Where `__all__` cannot be read, only the members of these classes are surely public.
        """
        if any(fact.aspects.get("replaced") for fact in code.facts):
            reason = f"{code.name} puts something else in its place when it runs"
            self._pairing.note("module", code.fact, "members", reason)
            return
        whole = not code.computed_exports or lists_everything(code)
        for local in code.definitions:
            parent, _, name = local.rpartition(".")
            public = is_public(code, local) if whole else local in code.surely_exported
            if is_public_member(name) and parent in shared if parent else public:
                self._published(stub, local, code, local)
            if local in shared:
                self._implied(stub, local, code, local)
        for name in (*listed(code), *(everything(code, self._code) if lists_everything(code) else ())):
            if self._in_stubs.find(stub, name).presence is Presence.ABSENT:
                found = self._in_code.find(code, name)
                if found.presence is not Presence.ABSENT and name not in stub.elsewhere:
                    self._pairing.offer(stub, code, name, found, spec=False)
        for name in sorted(made_names(code) or ()):
            offered = not is_private(name) if code.exports is None else name in code.exports
            absent = self._in_stubs.find(stub, name).presence is Presence.ABSENT and not _has_elsewhere(
                stub, name
            )
            if offered and absent and name not in code.definitions and not code.computed_exports:
                self._pairing.offer(stub, code, name, Found(Presence.PRESENT), spec=False)
        if code.exports is None and not code.computed_exports:
            for name, found in self._in_code.starred_constants(code):
                if self._in_stubs.find(stub, name).presence is Presence.ABSENT and name not in stub.elsewhere:
                    self._pairing.offer(stub, code, name, found, spec=False)

    def of_class(self, stub: Module, local: str, found: Found) -> None:
        """Report what a class of another module publishes that the code has under the name of a stub's class."""
        assert found.module is not None, "the class of the code lies in the project"
        for name in found.module.members.get(found.local, ()):
            if is_public_member(name):
                self._published(stub, f"{local}.{name}", found.module, f"{found.local}.{name}")
        self._implied(stub, local, found.module, found.local)

    def _implied(self, stub: Module, local: str, code: Module, theirs: str) -> None:
        """Report what a class has without defining it."""
        implied = list(implied_members(self._in_code, code, theirs))
        promised = {fact.name for fact in implied_members(self._in_stubs, stub, local)} if implied else set()
        for fact in implied:
            if fact.name not in promised:
                self._published(stub, f"{local}.{fact.name}", code, f"{theirs}.{fact.name}", (fact,))

    def _published(
        self, stub: Module, local: str, code: Module, theirs: str, facts: tuple[Fact, ...] = ()
    ) -> None:
        facts = facts or code.definitions[theirs]
        fact, kind = facts[0], str(facts[0].kind)
        about = f"{kind} {stub.name}.{local}"
        deserved = any(map(deserves_stub, facts))
        if not (deserved or kind == Kind.FUNCTION) or _is_optional(code, theirs):
            return
        if fact.name in _CONSTRUCTORS and self._is_enumeration(stub, local.rpartition(".")[0]):
            # To call an enumeration looks a member up, however it makes these.
            return
        if not deserved:
            self._taking_nothing(stub, local, Found(Presence.PRESENT, facts, code, theirs), about)
            return
        if local in stub.elsewhere or local.partition(".")[0] in stub.elsewhere:
            self._pairing.note(
                kind, fact, "exists", "the stub declares it for other targets only", about=about
            )
            return
        found = self._in_stubs.find(stub, local)
        if found.perhaps_set and fact.kind is not Kind.ATTRIBUTE:
            found = Found(Presence.ABSENT)
        if found.of_instances and fact.kind is not Kind.ATTRIBUTE and self._is_answered(code, theirs):
            found = Found(Presence.ABSENT)
        if found.presence is Presence.UNKNOWN:
            self._pairing.note(kind, fact, "exists", found.reason, about=about)
        elif found.presence is Presence.ABSENT:
            inherited = self._is_made(stub, local) or is_visit(self._in_stubs, stub, local)
            # What the code imports where it can, and else defines, comes from elsewhere.
            borrowed = "." not in local and _is_imported(code, local)
            if local.partition(".")[0] not in stub.imports and not inherited and not borrowed:
                code_side = witness(fact, kind_name(fact))
                self._pairing.gap(fact, code=code_side, other=stub.fact, about=about)
        elif found.module is None and self._takes_anything(stub, local) and _names_arguments(fact):
            self._pairing.gap(fact, code=witness(fact, kind_name(fact)), other=stub.fact, about=about)
        elif found.facts and found.facts[0].tag is Tag.CODE:
            # The class derives from one of a module without a stub, which no stub says anything about.
            return
        elif found.module is not None and (found.module is not stub or found.local != local):
            self._overriding(found, Found(Presence.PRESENT, facts, code, theirs), about)
        elif found.module is None and "." in local:
            written = meant(Found(Presence.PRESENT, facts, code, theirs), self._in_code)
            if all(each.kind is Kind.FUNCTION for each in written.facts) and written.module is not None:
                self._requiring(stub, local, written.module, written.facts[0], about)

    def _taking_nothing(self, stub: Module, local: str, theirs: Found, about: str) -> None:
        """Report a constructor without arguments by which the code overrides one that the stub's class inherits."""
        found = self._in_stubs.find(stub, local)
        if found.module is not None and found.local != local and found.facts[0].tag is not Tag.CODE:
            self._overriding(found, theirs, about)

    def _is_answered(self, code: Module, theirs: str) -> bool:
        """Whether the code's class gives its instances names that it does not define.

        Where it does, the stub's `__getattr__` says so; where it does not, that the stub does not list all names.
        """
        lineage = self._in_code.lineage(code, theirs.rpartition(".")[0])
        return not lineage.outside and any(
            instance_makers(owner, local, fact)
            for owner, local in lineage.classes
            for fact in owner.definitions.get(local, ())
        )

    def _is_made(self, stub: Module, local: str) -> bool:
        """Whether the stub's class gets its constructor from its fields."""
        parent, _, name = local.rpartition(".")
        owner = self._in_stubs.find(stub, parent) if name == "__init__" else None
        return (
            owner is not None
            and owner.module is not None
            and is_generated(self._in_stubs, owner.module, owner.local)
        )

    def _is_enumeration(self, stub: Module, class_: str) -> bool:
        owner = self._in_stubs.find(stub, class_)
        if owner.module is None:
            return False
        lineage = self._in_stubs.lineage(owner.module, owner.local)
        return any(issubclass(each, Enum) for each in lineage.standard)

    def _takes_anything(self, stub: Module, local: str) -> bool:
        """Whether the stub's class has no constructor but that of the standard exceptions, which takes anything."""
        parent, _, name = local.rpartition(".")
        owner = self._in_stubs.find(stub, parent) if name == "__init__" else None
        if owner is None or owner.module is None:
            return False
        lineage = self._in_stubs.lineage(owner.module, owner.local)
        return not lineage.unknown and any(issubclass(each, BaseException) for each in lineage.standard)

    def _requiring(self, stub: Module, local: str, code: Module, fact: Fact, about: str) -> None:
        """Report a method by which the code overrides one of a standard class that the stub's class inherits as it is:
        where it is called otherwise, or is abstract."""
        other = other_constructor(self._in_stubs, stub, local)
        if other is not None:
            if other.module is not stub or other.local.rpartition(".")[0] != local.rpartition(".")[0]:
                self._overriding(other, Found(Presence.PRESENT, (fact,), code, local), about)
            return
        inherited = inherited_method(self._in_stubs, stub, local, overridden=True)
        if inherited is not None:
            compared = compare_markers(inherited, fact, stub.scope, code.scope)
            special = is_special(inherited.name) and inherited.name not in _CONSTRUCTORS
            if inherited.name not in _BY_CLASSES:
                variants = compare_variants((inherited,), (fact,), stub.scope, code.scope)
                counted = _is_more if special else is_about_calls
                compared += Comparison(tuple(filter(counted, variants.discrepancies)))
            if compared.discrepancies:
                self._pairing.compared("function", inherited, fact, compared, about=about)

    def _overriding(self, found: Found, theirs: Found, about: str) -> None:
        """Compare a method that the stub's class merely inherits with the one by which the code overrides it.

        Types may become narrower; what counts is how it is called.
        """
        if all(fact.kind is Kind.FUNCTION for fact in found.facts):
            theirs = meant(theirs, self._in_code)
        facts, code = theirs.facts, theirs.module
        about = f"{facts[0].kind} {about.partition(' ')[2]}"
        assert found.module is not None and code is not None, "what is inherited lies in the project"
        if all(fact.kind is Kind.ATTRIBUTE for fact in found.facts):
            compared = compare_accessors(found.facts, facts, found.module.scope, code.scope)
            if len(found.facts) == len(facts) == 1 and not compared.discrepancies:
                compared += compare_made(found.facts[0], theirs, found.module.scope, self._in_code)
            if compared.discrepancies:
                self._pairing.compared("attribute", found.facts[0], facts[0], compared, about=about)
            return
        if any(fact.kind is not Kind.FUNCTION for fact in (*found.facts, *facts)):
            return
        comparison = compare_variants(found.facts, facts, found.module.scope, code.scope)
        kept = tuple(filter(is_about_calls, comparison.discrepancies))
        if kept:
            self._pairing.compared("function", found.facts[0], facts[0], Comparison(kept), about=about)


def _is_optional(code: Module, local: str) -> bool:
    """Whether the code has a name under conditions only; for a member of a class, those that the class is not under."""
    if not code.is_guarded(local):
        return False
    parent = local.rpartition(".")[0]
    around = {fact.aspects.get("guard") for fact in code.definitions.get(parent, ())}
    own = {fact.aspects.get("guard") for fact in code.definitions.get(local, ())}
    return not (around and around <= own)


def _has_elsewhere(stub: Module, name: str) -> bool:
    """Whether a stub defines or imports a name for other targets."""
    return name in stub.elsewhere or _is_imported(stub, name)


def _is_imported(module: Module, name: str) -> bool:
    """Whether some statement of a module imports a name, under whichever condition."""
    return any(name == local for fact in module.facts for local, _, _ in fact.aspects.get("imports", []))


def _names_arguments(function: Fact) -> bool:
    """Whether a method takes more than its instance, by names."""
    rows = function.aspects.get("parameters", [])[1:]
    return any(row[1] not in {VAR_POSITIONAL, VAR_KEYWORD} and not row[0].startswith("_") for row in rows)


def _is_more(found: Discrepancy) -> bool:
    """Whether a difference is an argument that the code takes beyond those by which Python calls a special method.

    Keywords of any name are for methods of other classes.
    """
    return bool(found.place) and found.difference.change == "extra" and "**" not in found.place


def is_about_calls(found: Discrepancy) -> bool:
    """Whether a difference is one of how something is called."""
    difference = found.difference
    if difference.change == "unspecified":
        # Of `*args` together with `**kwargs` nothing is asked; of one alone, what it hides.
        return sum(str(name).startswith("*") for name in difference.spec or []) == 1
    if difference.change == "kind" and not found.place:
        # What a stub lets call on the class itself, and the code only on an instance.
        return difference.code == "method" and difference.spec in {"staticmethod", "classmethod"}
    return difference.change == "async" or (bool(found.place) and difference.change in _OF_CALLS)
