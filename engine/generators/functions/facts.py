"""What tests of functions look up: facts by id and name, where a name is imported from, and what a name means there."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence

import msgspec

from crossval.link.names.targets import running
from engine.generators.functions.written import Written, may_be_refused
from engine.generators.kept import OfLast
from engine.generators.source import function, name_of
from graph.facts import Fact, Kind, Tag
from graph.source import FactSource
from planner.cases import Case
from planner.functions.offered import is_below, offered, sometimes_there
from planner.functions.told_types import told_types
from planner.generator import Assertion, Context, Declined, Draft

_KINDS = frozenset({Kind.MODULE, Kind.CLASS, Kind.FUNCTION, Kind.ATTRIBUTE, Kind.PAGE})
# A docstring names so many facts, and says how many more there are.
_NAMED = 3
_TAKEN = frozenset({"signature", "found", "inspect", "pytest", "raised", "capsys", "asyncio", "re"})


class NoTestError(Exception):
    """A test of a function cannot be written; the message names what is missing."""


class Unit(msgspec.Struct, frozen=True):
    """How a test reaches something: the import that it begins with, and the expression that names it then."""

    imported: str
    expression: str


class Surface:
    """The Python facts of a project, specs before code, and how tests reach what they are about."""

    def __init__(self, source: FactSource, changed: Callable[[Fact], Fact] = lambda fact: fact) -> None:
        """All facts of a source, each as `changed` gives it, with the types that only docstrings tell."""
        self._source = source
        self.facts: dict[str, Fact] = {}
        self._by_key: dict[str, Fact] = {}
        self._members: dict[str, list[Fact]] = {}
        self._modules: dict[str, str] = {}
        self._offered = offered(source)
        self._used: set[str] = set()
        self._tops: set[str] = set()
        self._heirs: dict[str, set[str]] | None = None
        target, typed = running(), told_types(source)
        unsure = sometimes_there(source, target)
        for tag in (Tag.SPEC, Tag.CODE):
            for fact in source.facts(tag=tag, kinds=_KINDS):
                guard = str(fact.aspects.get("guard", ""))
                if guard and target.holds(guard, type_checking=False) is not True:
                    continue
                if is_below(fact.unnumbered, unsure):
                    continue
                fact = typed(changed(fact))
                self.facts[fact.id] = fact
                if fact.kind is Kind.PAGE:
                    self._modules[fact.id] = fact.name.partition(".")[0]
                    continue
                self._modules[fact.id] = source.module_of(fact) or fact.key
                self._tops.add(self._modules[fact.id].partition(".")[0])
                self._by_key.setdefault(fact.unnumbered, fact)
                self._members.setdefault(f"{tag} {fact.key.rpartition('.')[0]}", []).append(fact)

    def module(self, fact: Fact) -> str:
        """The dotted name of the module that a fact belongs to."""
        return self._modules[fact.id]

    def at(self, key: str) -> Fact | None:
        """What a qualified name is: as its stub says, else as its code does."""
        return self._by_key.get(key)

    def is_package(self, name: str) -> bool:
        """Whether a name is a module at the top of the project, or a folder of modules there."""
        return name in self._tops

    def uses(self, package: str) -> bool:
        """Whether some module of the project imports from a package."""
        if not self._used:
            listed = (each for fact in self.facts.values() for each in fact.aspects.get("imports", ()))
            self._used = {str(target).partition(".")[0] for _, target, *_ in listed}
        return package in self._used

    def members(self, fact: Fact) -> list[Fact]:
        """What a module or class contains, in the order of the file."""
        listed = self._members.get(f"{fact.tag} {fact.key}", [])
        return sorted(listed, key=lambda each: (each.source.line, each.key))

    def same(self, fact: Fact) -> list[Fact]:
        """A fact and its counterparts under the same key: what the stub says, and what the code says."""
        _, _, rest = fact.id.partition(":")
        return [
            self.facts[each]
            for each in (f"{tag}:{rest}" for tag in (Tag.SPEC, Tag.CODE))
            if each in self.facts
        ]

    def modules(self) -> dict[str, list[Fact]]:
        """The members of each module by its name: of its stub where it has one, and what only its code has."""
        found: dict[str, list[Fact]] = {}
        for fact in self.facts.values():
            if fact.kind is Kind.MODULE and "language" not in fact.aspects:
                told = found.setdefault(self.module(fact), [])
                known = {each.name for each in told}
                # What code makes of names of its own, such as other names of builtins, is none of a spec's business.
                told[:0] = [
                    each
                    for each in self.members(fact)
                    if each.name not in known and not (told and each.kind is Kind.ATTRIBUTE)
                ]
        return found

    def offers(self, module: str) -> list[tuple[str, str]]:
        """What a module offers of what others define: their qualified names, and those that they have in it."""
        return [
            (origin, name.rpartition(".")[2])
            for origin, name in self._offered.items()
            if name.rpartition(".")[0] == module
        ]

    def overloads(self, fact: Fact) -> list[Fact]:
        """All signatures of a function: one, or its `@overload`s; the definition behind them is none in code."""
        base = fact.unnumbered
        holder = base.rpartition(".")[0]
        every = [
            each
            for each in self._members.get(f"{fact.tag} {holder}", [])
            if each.kind is Kind.FUNCTION and each.unnumbered == base
        ]
        several = [each for each in every if each.aspects.get("overload")]
        return sorted(several or every[:1], key=lambda each: each.source.line)

    def class_named(self, name: str) -> Fact | None:
        """The only public class of a name, stub before code; None where there are several, or none."""
        keys = {
            fact.key
            for fact in self.facts.values()
            if fact.kind is Kind.CLASS
            and fact.name == name
            and not any(part.startswith("_") for part in fact.key.split("."))
        }
        return self._by_key.get(keys.pop()) if len(keys) == 1 else None

    def converts(self, module: str, word: str) -> bool:
        """Whether a module has a function or method with this word in its name, as `to_gregorian`."""
        return any(word in each.name and self._modules[each.id] == module for each in self.facts.values())

    def heirs(self, fact: Fact) -> set[str]:
        """The qualified names of the classes of the project that derive from a class without another one between."""
        if self._heirs is None:
            self._heirs = {}
            for each in self.facts.values():
                for base in each.aspects.get("bases", ()) if each.kind is Kind.CLASS else ():
                    known = self.at(self.resolved(str(base).partition("[")[0], self.module(each)))
                    if known is not None:
                        self._heirs.setdefault(known.key, set()).add(each.key)
        return self._heirs.get(fact.key, set())

    def holder(self, fact: Fact) -> Fact | None:
        """The class that a fact is a member of; None for members of modules."""
        holder = self._by_key.get(fact.key.rpartition(".")[0])
        return holder if holder is not None and holder.kind is Kind.CLASS else None

    def unit(self, fact: Fact) -> Unit:
        """How a test reaches a function, class or constant. Raises NoTestError where it lies inside a function."""
        module = self.module(fact)
        inside = fact.unnumbered.removeprefix(module).lstrip(".")
        if not inside or "<" in inside:
            raise NoTestError(f"a way to reach {fact.key} from outside")
        first, _, rest = inside.partition(".")
        module, _, first = self._offered.get(f"{module}.{first}", f"{module}.{first}").rpartition(".")
        local = f"{first}_" if first in _TAKEN else first
        imported = f"from {module} import {first}" + (f" as {local}" if local != first else "")
        return Unit(imported, f"{local}.{rest}" if rest else local)

    def named(self, name: str, module: str) -> Unit | None:
        """How a test reaches what a name, as written in a module, stands for; None where nobody knows it.

        Builtin names need no import: `imported` is empty.
        """
        first, _, rest = name.partition(".")
        if fact := self._by_key.get(f"{module}.{first}"):
            if not rest or fact.kind is Kind.CLASS:
                return Unit(f"from {module} import {first}", name)
            return None
        for local, target in self.imports(module):
            if "." in local and name.startswith(f"{local}."):
                return Unit(f"import {local}", name)
            if local != first:
                continue
            if target == first or (target == name and "." in name):
                return Unit(f"import {target}", name) if rest else None
            origin, _, last = target.rpartition(".")
            renamed = f" as {first}" if last != first else ""
            return Unit(f"from {origin} import {last}{renamed}", name) if origin else None
        return Unit("", name) if not rest and hasattr(builtins, first) else None

    def imports(self, module: str) -> list[tuple[str, str]]:
        """What a module imports at its top: the local name and what it stands for, of its stub and of its code."""
        found = []
        for tag in (Tag.SPEC, Tag.CODE):
            fact = self.facts.get(f"{tag}:{Kind.MODULE}:{module}")
            if fact is not None:
                found += [(str(each[0]), str(each[1])) for each in fact.aspects.get("imports", ())]
        return found

    def resolved(self, name: str, module: str) -> str:
        """The qualified name of what a name stands for in a module; the name itself where nobody says."""
        first, dot, rest = name.partition(".")
        if f"{module}.{first}" in self._by_key:
            return f"{module}.{name}"
        for local, target in self.imports(module):
            if local == first and local != target:
                return f"{target}{dot}{rest}".removeprefix("builtins.")
        return name.removeprefix("builtins.")


class Surfaces(OfLast[FactSource, Surface]):
    """The surface of the source that was asked about last."""

    def __init__(self) -> None:
        super().__init__(Surface)


def cited(case: Case, lines: Sequence[str], *, inferred: bool = False) -> list[Assertion]:
    """Assertions that cite what their case is about; `inferred` where no spec says so in as many words."""
    return [Assertion(line, case.cites, inferred=inferred) for line in lines]


def written_for(
    surfaces: Surfaces, case: Case, context: Context, write: Callable[[Case, Fact, Surface], Written]
) -> Draft | Declined:
    """The draft of what `write` makes of a case and the fact that it is about; declined where it cannot."""
    surface = surfaces.of(context.source)
    fact = surface.facts.get(str(case.target["function"]))
    if fact is None:
        return Declined(case.id, f"{case.target['function']}, which no stub or code has")
    try:
        written = write(case, fact, surface)
    except NoTestError as error:
        return Declined(case.id, str(error))
    if context.options.get("made_up") != "unknown":
        written = may_be_refused(written)
    return _drafted(case, fact, surface.module(fact), written, context)


def _drafted(case: Case, fact: Fact, module: str, written: Written, context: Context) -> Draft:
    """The draft of a test. The unit under test is imported inside it, so that a missing one costs only this test."""
    place = fact.source
    where = f"{place.path}, “{written.heading}”" if written.heading else f"{place.path}:{place.line}"
    cites = dict.fromkeys(
        (*case.cites[:_NAMED], *([f"{len(case.cites) - _NAMED} more"] * (len(case.cites) > _NAMED)))
    )
    imports = sorted(
        {each for each in written.imports if each}, key=lambda each: (each.startswith("from "), each)
    )
    imports = [*(f'pytest.importorskip("{each}")' for each in written.others), *imports]
    arrange = [*imports, *([""] if imports and written.arrange else []), *written.arrange]
    source = function(
        name_of(written.name),
        written.fixtures,
        marks=case.cites,
        words=case.description,
        maintain=f"it follows {', '.join(cites)} ({where}); change it when that changes.",
        arrange=arrange,
        act=written.act,
        asserts=[line for each in written.assertions for line in each.lines],
    )
    return Draft(
        case=case.id,
        module_path=f"{context.folder}/test_{_group(module)}.py",
        name=name_of(written.name),
        source=source,
        imports=("import pytest", *(each for each in dict.fromkeys(written.top) if each != "import pytest")),
        fixtures=written.fixtures,
        assertions=tuple(written.assertions),
        negative=written.negative,
    )


def _group(module: str) -> str:
    """The name of the file for a module's tests: without its first package, as that is the project's own name."""
    _, _, rest = module.partition(".")
    return name_of(rest or module)
