"""Aligns the definitions of stubs with those of the code: modules, classes, functions, attributes."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePosixPath

from crossval.alignment import Alignment
from crossval.compare.discrepancies import Comparison
from crossval.compare.documented import compare_documented_exceptions, compare_documented_parameters
from crossval.findings import witness
from crossval.link.definitions.class_pairs import compare_classes, is_typed_dictionary
from crossval.link.definitions.inherited import compare_inherited, without_inherited_types
from crossval.link.definitions.pairing import Pairing
from crossval.link.definitions.placeholders import compare_placeholder
from crossval.link.definitions.publications import Publications
from crossval.link.names.class_fields import without_setters
from crossval.link.names.constants import valued
from crossval.link.names.constructors import compare_constructors, constructor
from crossval.link.names.exports import compare_exports, forwarded
from crossval.link.names.found import Found, Presence
from crossval.link.names.hashing import taken_hash
from crossval.link.names.heirs import Heirs
from crossval.link.names.hollow import Hollow, is_private, made_otherwise, without_wrapped
from crossval.link.names.implied import absent_method
from crossval.link.names.instances import compare_made
from crossval.link.names.kinds import compare_variants, kind_name
from crossval.link.names.lookup import Lookup
from crossval.link.names.made_instances import compare_instances
from crossval.link.names.metaclasses import kind_or_silence, without_values
from crossval.link.names.modules import Library, Module
from crossval.link.names.properties import as_property
from crossval.link.names.publicity import is_of_class, is_promise
from crossval.link.names.targets import Target, running
from crossval.link.names.written_functions import as_function, meant, promised
from graph.facts import Fact, Kind, Tag
from graph.faults import Attempt
from graph.source import FactSource

_FOREIGN_FOLDERS = frozenset({"stubs", "typings", "typestubs"})


def align_definitions(source: FactSource, target: Target | None = None) -> Alignment:
    """Pairs of all that stubs and the code of the same module define, each with its differences.

    `target` decides what is defined under conditions on version and platform; it defaults to the running interpreter.
    """
    target = target or running()
    stubs = Library(source, Tag.SPEC, target)
    if not stubs.names:
        return Alignment()
    code = Library(source, Tag.CODE, target)
    # What a stub imports from a module without one is a class as well.
    beside = {owner[0] for target in stubs.imported if (owner := code.owner(target)) is not None}
    classes = code.load(sorted({*stubs.names, *beside}))
    stubs.load(stubs.names, classes)
    tests = frozenset(map(source.module_of, source.facts(tag=Tag.TEST, kinds={Kind.MODULE})))
    pairing = Pairing()
    aligner = _Aligner(stubs, code, tests, pairing, target)
    for name in sorted(stubs.names):
        aligner.align(name)
    return Alignment(pairing.pairs, pairing.unknown)


class _Aligner:
    """Walks through the stubs."""

    def __init__(
        self, stubs: Library, code: Library, tests: frozenset[str], pairing: Pairing, target: Target
    ) -> None:
        self._pairing = pairing
        self._target = target
        self._stubs = stubs
        self._code = code
        self._tests = tests
        self._in_code = Lookup(code)
        self._in_stubs = Lookup(stubs, beyond=self._in_code)
        self._hollow = Hollow(code)
        self._heirs = Heirs(code, self._in_code)
        self._publications = Publications(self._in_stubs, self._in_code, pairing, code)
        self._shared: dict[tuple[str, str, str], bool] = {}

    def align(self, name: str) -> None:
        """Pair one stub with the code of its module."""
        stub, code = self._stubs.module(name), self._code.module(name)
        assert stub is not None, "the name of a stub has a module"
        if code is None:
            self._module_without_code(stub)
            return
        if any(self._target.excludes(fact) for fact in code.facts):
            self._pairing.note("module", code.fact, "members", "the code is for other targets only")
            return
        self._pairing.compared("module", stub.fact, code.fact, compare_exports(stub, code))
        for local in stub.definitions:
            with Attempt() as attempt:
                self._promise(stub, code, local)
            if attempt.failure:
                self._unsure(stub.definitions[local][0], attempt.failure)
        for name in forwarded(stub, self._stubs):
            self._forwarding(stub, code, name)
        if code.computed_exports:
            reason = "__all__ is computed, so what is public is not known"
            self._pairing.note("module", stub.fact, "exports", reason)
        shared = frozenset(name for name in code.members if self._is_shared_class(stub, code, name))
        self._publications.of_module(stub, code, shared)

    def _forwarding(self, stub: Module, code: Module, name: str) -> None:
        """Report what the stub offers from elsewhere and the code does not have; what its `__all__` lists may be made
        at run time."""
        claimed = code.exports is not None and name in code.exports
        if (
            not claimed
            and not self._hollow.filled(stub, code)
            and self._in_code.find(code, name).presence is Presence.ABSENT
        ):
            self._pairing.offer(stub, code, name, self._in_stubs.find(stub, name), spec=True)

    def _module_without_code(self, stub: Module) -> None:
        reason = self._why_no_code(stub)
        if reason:
            self._pairing.note("module", stub.fact, "exists", reason)
        elif stub.definitions or not any(name.startswith(f"{stub.name}.") for name in self._code.names):
            self._pairing.gap(stub.fact, spec=witness(stub.fact, "module"), other=None)

    def _why_no_code(self, stub: Module) -> str:
        """Why a stub's module may well exist although the project has no source of it."""
        if not stub.name.rpartition(".")[2].isidentifier() or is_private(stub.name, self._code):
            return "a private module without source may be compiled, or exist for type checkers only"
        owner, rest = self._code.owner(stub.name) or ("", "")
        parent = self._code.module(owner)
        if stub.name in self._tests:
            return "the module is read as tests"
        if not _FOREIGN_FOLDERS.isdisjoint(stub.name.split(".")[1:-1]):
            return "the stub lies in a folder of stubs for other packages"
        if (
            parent is not None
            and self._in_code.find(parent, rest.partition(".")[0]).presence is not Presence.ABSENT
        ):
            return (
                f"{owner} defines {rest.partition('.')[0]} itself, which may stand for a module at run time"
            )
        package = stub.name.partition(".")[0]
        if package in self._code.packages:
            return ""
        if package in self._code.imported_packages:
            return f"the project has no source of {package} and imports it from elsewhere"
        folders = PurePosixPath(stub.fact.source.path).parts[:-1]
        foreign = self._code.names and not _FOREIGN_FOLDERS.isdisjoint(folders)
        if foreign or any(folder.endswith("-stubs") for folder in folders):
            return "the stub describes a package that is not part of the project"
        return ""

    def _promise(self, stub: Module, code: Module, local: str) -> None:
        """Compare what the stub defines with what the code has under this name."""
        spec = stub.definitions[local]
        parent = local.rpartition(".")[0]
        if parent and not self._is_shared_class(stub, code, parent):
            return
        found = taken_hash(self._in_code, code, local) or self._in_code.find(code, local)
        if found.perhaps_set and spec[0].kind is not Kind.ATTRIBUTE:
            found = Found(Presence.ABSENT)
        if found.of_instances and is_of_class(spec[0]):
            found = Found(Presence.ABSENT)
        if found.presence is Presence.ABSENT and code.exports is not None and local in code.exports:
            found = Found(Presence.UNKNOWN, reason="the code lists it in __all__")
        if found.presence is Presence.ABSENT and local in code.for_checkers:
            found = Found(Presence.UNKNOWN, reason="the code defines it for type checkers only")
        if found.presence is Presence.ABSENT:
            found = absent_method(self._in_code, code, local) or found
        if found.presence is Presence.UNKNOWN:
            self._unsure(spec[0], found.reason)
        elif found.presence is Presence.ABSENT:
            if not is_promise(spec[0], local, stub.scope):
                return
            reason = "" if parent else self._hollow.filled(stub, code)
            reason = "the stub defines it under a condition only" if stub.is_guarded(local) else reason
            if parent and spec[0].kind is Kind.ATTRIBUTE:
                reason = self._heirs.given(code, local) or reason
            if reason:
                self._unsure(spec[0], reason)
                return
            self._pairing.gap(spec[0], spec=witness(spec[0], kind_name(spec[0])), other=code.fact)
        elif found.module is not None:
            self._compare(stub, code, local, found)
        elif self._is_inherited(stub, code, local):
            return
        elif local in code.imports:
            self._unsure(spec[0], "the code imports it from outside the project")

    def _unsure(self, promised: Fact, reason: str) -> None:
        self._pairing.note(str(promised.kind), promised, "exists", reason)

    def _is_inherited(self, stub: Module, code: Module, local: str) -> bool:
        """Compare a method of the stub with what stands for it in a class that does not define it, if anything does."""
        spec = stub.definitions[local]
        compared = compare_inherited(stub, spec, self._in_code, code, local)
        if compared is not None and compared[1].discrepancies:
            self._pairing.compared("function", spec[0], *compared)
        return compared is not None

    def _is_shared_class(self, stub: Module, code: Module, local: str) -> bool:
        """Whether both witnesses have a class of this name, so that its members can be compared."""
        key = stub.name, code.name, local
        if key not in self._shared:
            self._shared[key] = self._share_class(stub, code, local)
        return self._shared[key]

    def _share_class(self, stub: Module, code: Module, local: str) -> bool:
        variants = stub.definitions.get(local, ())
        if not variants or any(fact.kind is not Kind.CLASS for fact in variants):
            return False
        found = self._in_code.find(code, local)
        if found.facts and all(fact.kind is Kind.ATTRIBUTE for fact in found.facts):
            found = self._in_code.follow_alias(found)
        if not found.facts or any(fact.kind is not Kind.CLASS for fact in found.facts):
            return False
        # The members of a typed dictionary are keys: a class of another make has them in another way, if at all.
        return (
            found.module is None
            or not is_typed_dictionary(self._in_stubs, stub, local)
            or is_typed_dictionary(self._in_code, found.module, found.local)
        )

    def _compare(self, stub: Module, code: Module, local: str, found: Found) -> None:
        """Compare all variants of a stub's definition with those of the code."""
        spec = promised(stub.definitions[local])
        if spec[0].kind is not Kind.ATTRIBUTE and found.facts[0].kind is Kind.ATTRIBUTE:
            found = meant(found, self._in_code)
        if all(fact.kind is Kind.FUNCTION for fact in spec):
            found = as_function(found, self._in_code)
        found = valued(spec, as_property(found), self._in_code)
        module = found.module
        assert module is not None, "only definitions of the project are compared"
        comparison = made_otherwise(self._in_code, code, local, found)
        if instance := compare_instances(spec, found, stub.scope, self._in_code):
            found, comparison = instance
        aliased = self._aliased(stub, local) if found.facts[0].kind is Kind.FUNCTION else None
        meant_here = aliased.facts if aliased is not None else spec
        comparison = comparison or compare_variants(meant_here, found.facts, stub.scope, module.scope)
        comparison = without_setters(without_wrapped(self._in_code, code, local, comparison), stub, local)
        kinds_differ = any(found.topic == ("", "kind") for found in comparison.discrepancies)
        if kinds_differ and spec[0].kind is not found.facts[0].kind:
            comparison = kind_or_silence(self._in_code, module, found.local, comparison)
        if len(spec) == len(found.facts) == 1 and not comparison.discrepancies:
            comparison += compare_made(spec[0], found, stub.scope, self._in_code)
        comparison = without_values(self._in_code, module, found, comparison, self._code.of_others.names)
        if not comparison.discrepancies:
            comparison += compare_placeholder(spec, found, self._heirs, self._in_code)
        if len(spec) == len(found.facts) == 1:
            kinds = (spec[0].kind, found.facts[0].kind)
            if kinds == (Kind.CLASS, Kind.CLASS):
                comparison += compare_classes(stub, local, found, self._in_stubs, self._in_code, self._code)
                self._construct(stub, local, found)
            elif kinds == (Kind.FUNCTION, Kind.FUNCTION):
                comparison += self._documented(spec[0], found.facts[0], module)
        comparison = without_inherited_types(
            comparison, self._in_stubs, stub, local, self._in_code, code, found
        )
        self._pairing.compared(str(spec[0].kind), spec[0], found.facts[0], comparison)
        moved = module is not code or found.local != local or self._is_other_class(stub, local, found)
        if moved and self._is_class(stub, local) and found.facts[0].kind is Kind.CLASS:
            self._publications.of_class(stub, local, found)

    def _is_class(self, stub: Module, local: str) -> bool:
        """Whether a stub has a class under a name, or an alias of one."""
        return stub.definitions[local][0].kind is Kind.CLASS or self._aliased(stub, local) is not None

    def _is_other_class(self, stub: Module, local: str, found: Found) -> bool:
        """Whether the stub's name is an alias of a class that the code has under another name, if at all."""
        target = self._aliased(stub, local)
        return target is not None and target.local.rpartition(".")[2] != found.local.rpartition(".")[2]

    def _aliased(self, stub: Module, local: str) -> Found | None:
        """The class of the stubs that an attribute of a stub stands for."""
        facts = stub.definitions[local]
        if len(facts) != 1 or facts[0].kind is not Kind.ATTRIBUTE or "annotation" in facts[0].aspects:
            return None
        target = self._in_stubs.follow_alias(Found(Presence.PRESENT, facts, stub, local))
        return target if target.facts and target.facts[0].kind is Kind.CLASS else None

    def _construct(self, stub: Module, local: str, found: Found) -> None:
        """Compare the constructors of two classes where fields make one of them."""
        ours = constructor(self._in_stubs, Found(Presence.PRESENT, stub.definitions[local], stub, local))
        theirs = constructor(self._in_code, found) if ours is not None else None
        if ours is None or theirs is None or not (ours.generated or theirs.generated):
            return
        about = f"function {stub.name}.{local}.__init__"
        comparison = compare_constructors(ours, theirs)
        if comparison.discrepancies:
            self._pairing.compared("function", ours.fact, theirs.fact, comparison, about=about)

    def _documented(self, spec: Fact, code: Fact, module: Module) -> Comparison:
        """What docstrings say and the code does not bear out."""

        def ancestors(text: str) -> Collection[str] | None:
            base = self._in_code.base(module, text)
            if isinstance(base, str):
                return None
            if isinstance(base, type):
                return [ancestor.__name__ for ancestor in base.__mro__]
            lineage = self._in_code.lineage(*base)
            return None if lineage.unknown else lineage.names

        return compare_documented_parameters(spec, code) + compare_documented_exceptions(
            spec, code, ancestors
        )
