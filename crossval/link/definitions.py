"""Aligns the definitions of stubs with those of the code: modules, classes, functions, attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from crossval.alignment import Alignment
from crossval.compare.classes import compare_bases
from crossval.compare.discrepancies import Comparison, Discrepancy, Silence
from crossval.findings import Witness, witness
from crossval.link.exports import compare_exports, forwarded, listed
from crossval.link.kinds import compare_variants, kind_name
from crossval.link.lookup import Found, Lookup, Presence
from crossval.link.modules import Library, Module
from crossval.link.publicity import deserves_stub, is_promise, is_public, is_special
from crossval.link.targets import Target, running
from crossval.pairs import Direction, Pair
from graph.facts import Fact, Kind, Tag, Unknown
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
    classes = code.load(stubs.names)
    stubs.load(stubs.names, classes)
    tests = frozenset(map(source.module_of, source.facts(tag=Tag.TEST, kinds={Kind.MODULE})))
    aligner = _Aligner(stubs, code, tests)
    for name in sorted(stubs.names):
        aligner.align(name)
    return Alignment(aligner.pairs, aligner.unknown)


class _Aligner:
    """Walks through the stubs and gathers pairs and unknowns."""

    def __init__(self, stubs: Library, code: Library, tests: frozenset[str]) -> None:
        self.pairs: list[Pair] = []
        self.unknown: list[Unknown] = []
        self._stubs = stubs
        self._code = code
        self._tests = tests
        self._in_stubs = Lookup(stubs)
        self._in_code = Lookup(code)

    def align(self, name: str) -> None:
        """Pair one stub with the code of its module."""
        stub, code = self._stubs.module(name), self._code.module(name)
        assert stub is not None, "the name of a stub has a module"
        if code is None:
            self._module_without_code(stub)
            return
        found = Found(Presence.PRESENT, code.facts, code, "")
        self._pair("module", stub.facts, found, compare_exports(stub, code, self._stubs))
        for local in stub.definitions:
            self._promise(stub, code, local)
        for name in forwarded(stub, self._stubs):
            self._forwarding(stub, code, name)
        if code.computed_exports:
            self._note("module", stub.fact, "exports", "__all__ is computed, so what is public is not known")
            return
        for local in code.definitions:
            self._publication(stub, code, local)
        for name in listed(code):
            self._listing(stub, code, name)

    def _module_without_code(self, stub: Module) -> None:
        reason = self._why_no_code(stub)
        if reason:
            self._note("module", stub.fact, "exists", reason)
        elif stub.definitions or not any(name.startswith(f"{stub.name}.") for name in self._code.names):
            self._gap(stub.fact, spec=witness(stub.fact, "module"), other=None)

    def _why_no_code(self, stub: Module) -> str:
        """Why a stub's module may well exist although the project has no source of it."""
        if stub.name.rpartition(".")[2].startswith("_"):
            return "a private module without source may be compiled, or exist for type checkers only"
        owner, rest = self._code.owner(stub.name) or ("", "")
        parent = self._code.module(owner)
        if stub.name in self._tests:
            return "the module is read as tests"
        if (
            parent is not None
            and self._in_code.find(parent, rest.partition(".")[0]).presence is not Presence.ABSENT
        ):
            return (
                f"{owner} defines {rest.partition('.')[0]} itself, which may stand for a module at run time"
            )
        if not self._code.names or stub.name.partition(".")[0] in self._code.packages:
            return ""
        folders = PurePosixPath(stub.fact.source.path).parts[:-1]
        if any(folder in _FOREIGN_FOLDERS or folder.endswith("-stubs") for folder in folders):
            return "the stub describes a package that is not part of the project"
        return ""

    def _promise(self, stub: Module, code: Module, local: str) -> None:
        """Compare what the stub defines with what the code has under this name."""
        spec = stub.definitions[local]
        parent = local.rpartition(".")[0]
        if parent and not self._is_shared_class(stub, code, parent):
            return
        found = self._in_code.find(code, local)
        if found.presence is Presence.ABSENT:
            found = self._absent_method(code, local) or found
        if found.presence is Presence.UNKNOWN:
            self._note(str(spec[0].kind), spec[0], "exists", found.reason)
        elif found.presence is Presence.ABSENT:
            if not is_promise(spec[0], local):
                return
            if _is_guarded(stub, local):
                self._note(str(spec[0].kind), spec[0], "exists", "the stub defines it under a condition only")
                return
            self._gap(spec[0], spec=witness(spec[0], kind_name(spec[0])), other=code.fact)
        elif found.module is not None:
            self._compare(stub, spec, found)
        elif local in code.imports:
            self._note(str(spec[0].kind), spec[0], "exists", "the code imports it from outside the project")

    def _is_shared_class(self, stub: Module, code: Module, local: str) -> bool:
        """Whether both witnesses have a class of this name, so that its members can be compared."""
        variants = stub.definitions.get(local, ())
        if not variants or any(fact.kind is not Kind.CLASS for fact in variants):
            return False
        found = self._in_code.find(code, local)
        if found.facts and all(fact.kind is Kind.ATTRIBUTE for fact in found.facts):
            found = self._in_code.follow_alias(found)
        return bool(found.facts) and all(fact.kind is Kind.CLASS for fact in found.facts)

    def _absent_method(self, code: Module, local: str) -> Found | None:
        """What stands for a special method that the code lacks but may have through a decorator of the class."""
        parent, _, name = local.rpartition(".")
        owner = self._in_code.find(code, parent) if parent and is_special(name) else None
        decorated = owner is not None and any(fact.aspects.get("decorators") for fact in owner.facts)
        return Found(Presence.UNKNOWN, reason=f"a decorator of {parent} may add it") if decorated else None

    def _compare(self, stub: Module, spec: Sequence[Fact], found: Found) -> None:
        assert found.module is not None, "only definitions of the project are compared"
        if spec[0].kind is not Kind.ATTRIBUTE and found.facts[0].kind is Kind.ATTRIBUTE:
            target = self._in_code.follow_alias(found)
            if target.module is not None:
                found = target
        assert found.module is not None, "an alias is followed to a definition of the project"
        comparison = compare_variants(spec, found.facts, stub.scope, found.module.scope)
        if any(discrepancy.topic == ("", "kind") for discrepancy in comparison.discrepancies):
            comparison = self._kind_or_silence(found.module, found.local, comparison)
        if spec[0].kind is Kind.CLASS and found.facts[0].kind is Kind.CLASS:
            comparison += self._bases(stub, spec, found)
        self._pair(str(spec[0].kind), spec, found, comparison)

    def _kind_or_silence(self, module: Module, local: str, comparison: Comparison) -> Comparison:
        """The comparison of two kinds of member, unless a metaclass may have made the one kind of the other."""
        parent = local.rpartition(".")[0]
        metaclass = self._in_code.lineage(module, parent).metaclass if parent else ""
        if not metaclass:
            return comparison
        return Comparison(silences=(Silence("kind", f"the metaclass {metaclass} may change what it is"),))

    def _bases(self, stub: Module, spec: Sequence[Fact], found: Found) -> Comparison:
        if len(spec) > 1 or len(found.facts) > 1 or found.module is None:
            return Comparison()
        lineage = self._in_code.lineage(found.module, found.local)
        texts: list[str] = spec[0].aspects.get("bases", [])
        private = [text for text in texts if self._is_only_in_stubs(stub, text)]
        code_texts: list[str] = found.facts[0].aspects.get("bases", [])
        return compare_bases(
            texts, code_texts, lineage.names, stub.scope, private=private, unknown=lineage.unknown
        )

    def _is_only_in_stubs(self, stub: Module, text: str) -> bool:
        base = self._in_stubs.base(stub, text)
        if not isinstance(base, tuple):
            return False
        module = self._code.module(base[0].name)
        return module is None or self._in_code.find(module, base[1]).presence is not Presence.PRESENT

    def _publication(self, stub: Module, code: Module, local: str) -> None:
        """Report what the code publishes and the stub does not mention."""
        fact = code.definitions[local][0]
        parent = local.rpartition(".")[0]
        if not is_public(code, local) or not any(map(deserves_stub, code.definitions[local])):
            return
        if _is_guarded(code, local) or (parent and not self._is_shared_class(stub, code, parent)):
            return
        found = self._in_stubs.find(stub, local)
        if found.presence is Presence.UNKNOWN:
            self._note(str(fact.kind), fact, "exists", found.reason)
        elif found.presence is Presence.ABSENT and local.partition(".")[0] not in stub.imports:
            self._gap(fact, code=witness(fact, kind_name(fact)), other=stub.fact)

    def _forwarding(self, stub: Module, code: Module, name: str) -> None:
        """Report what the stub offers from elsewhere and the code does not have."""
        if self._in_code.find(code, name).presence is Presence.ABSENT:
            found = self._in_stubs.find(stub, name)
            self._offer(stub, code, name, found, spec=True)

    def _listing(self, stub: Module, code: Module, name: str) -> None:
        """Report what the code lists in `__all__` and the stub does not have."""
        if self._in_stubs.find(stub, name).presence is Presence.ABSENT:
            found = self._in_code.find(code, name)
            if found.presence is not Presence.ABSENT:
                self._offer(stub, code, name, found, spec=False)

    def _offer(self, stub: Module, code: Module, name: str, found: Found, *, spec: bool) -> None:
        """Add the pair of a name that one side's module offers from elsewhere and the other side lacks."""
        ours = stub if spec else code
        kind = found.facts[0].kind if found.facts else Kind.ATTRIBUTE
        said = kind_name(found.facts[0]) if found.facts else "attribute"
        lines = [line for local, _, line in ours.fact.aspects.get("imports", []) if local == name]
        offer = witness(ours.fact, said, lines[0] if lines else None)
        self.pairs.append(
            Pair(
                kind=kind,
                subject=f"{kind} {ours.name}.{name}",
                place="",
                name=name,
                spec=offer if spec else None,
                code=None if spec else offer,
                spec_fact=stub.fact,
                code_fact=code.fact,
            )
        )

    def _gap(
        self, fact: Fact, *, spec: Witness | None = None, code: Witness | None = None, other: Fact | None
    ) -> None:
        """Add the pair of a thing that one side lacks; `other` is the module that should have it."""
        self.pairs.append(
            Pair(
                kind=fact.kind,
                subject=_subject(str(fact.kind), fact),
                place="",
                name=fact.name,
                spec=spec,
                code=code,
                spec_fact=fact if spec else other,
                code_fact=fact if code else other,
            )
        )

    def _pair(self, kind: str, spec: Sequence[Fact], found: Found, comparison: Comparison) -> None:
        """Add the pair of a definition, and one per place within it where the two sides differ."""
        ours, theirs = spec[0], found.facts[0]
        subject = _subject(kind, ours)
        by_place: dict[str, list[Discrepancy]] = {"": []}
        for discrepancy in comparison.discrepancies:
            by_place.setdefault(discrepancy.place, []).append(discrepancy)
        for place, discrepancies in by_place.items():
            first = discrepancies[0].difference if place else None
            spec_line, code_line = (first.spec_line, first.code_line) if first else (0, 0)
            self.pairs.append(
                Pair(
                    kind=ours.kind,
                    subject=subject,
                    place=place,
                    name=place.rpartition(".")[2] or ours.name,
                    spec=witness(ours, first.spec if first else None, spec_line or None),
                    code=witness(theirs, first.code if first else None, code_line or None),
                    spec_fact=ours,
                    code_fact=theirs,
                    direction=Direction.REQUEST if place else Direction.RESPONSE,
                    differences=tuple(discrepancy.difference for discrepancy in discrepancies),
                )
            )
        for silence in comparison.silences:
            self._note(kind, theirs, silence.aspect, silence.reason, subject=subject)

    def _note(self, kind: str, fact: Fact, aspect: str, reason: str, *, subject: str = "") -> None:
        place = fact.source
        self.unknown.append(Unknown(subject or _subject(kind, fact), aspect, place.path, place.line, reason))


def _subject(kind: str, fact: Fact) -> str:
    return f"{kind} {fact.key.partition('~')[0]}"


def _is_guarded(module: Module, local: str) -> bool:
    """Whether a name, or what it belongs to, is defined under conditions only."""
    parts = local.split(".")
    prefixes: Iterator[str] = (".".join(parts[: index + 1]) for index in range(len(parts)))
    return any(
        all(fact.aspects.get("guard") for fact in module.definitions[prefix])
        for prefix in prefixes
        if prefix in module.definitions
    )
