"""The names that test files import from modules of the project, and that are not there."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import witness
from crossval.link.names.found import Presence
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Library, Module
from crossval.link.names.targets import Target, running
from crossval.pairs import Difference, Pair
from graph.facts import Fact, Kind, Tag, Verb
from graph.patterns import pattern
from graph.source import FactSource

_GENERATED = pattern(r"_\w*|\w+_pb2(?:_grpc)?|version|tests?|testing|conftest")
"""Modules that are often written when a project is built, or left out of what is shipped of it."""


def imported_in_vain(source: FactSource, target: Target | None = None) -> Iterator[Pair]:
    """A pair for each name that a test file imports at its top, without a condition, and that its module surely lacks.

    What a spec promises is not written yet: that is a gap of its own. What the code imports, too, may be made when the
    project is built; and a script finds the modules beside it first, whatever they are called. The difference has the
    qualified name, and the module that should have it.
    """
    files = list(source.facts(tag=Tag.TEST, kinds={Kind.MODULE}))
    library = Library(source, Tag.CODE, target or running())
    of_tests = {name for fact in files for name in _with_packages(fact.key) if name not in library.names}
    wanted = [
        (fact, *owner, line)
        for fact in files
        for qualified, line in _surely_run(fact)
        if (owner := library.owner(qualified))
        and of_tests.isdisjoint(_with_packages(qualified))
        and _beside(fact.key, qualified) not in library.names
    ]
    library.load({owner for _, owner, _, _ in wanted})
    lookup = Lookup(library)
    lacking = [
        (fact, nearest, rest, line)
        for fact, owner, rest, line in wanted
        if (nearest := _lacking(owner, rest, library, lookup)) is not None
    ]
    elsewhere = _promised(source) | _imported(source) if lacking else set()
    for fact, nearest, rest, line in lacking:
        # Of `shop.gone.Cart`, where there is `shop`, it is `shop.gone`.
        missing = f"{nearest.key}.{rest.partition('.')[0]}"
        if elsewhere.isdisjoint((f"{nearest.key}.{rest}", missing)):
            yield _pair(fact, missing, line, nearest)


def _beside(module: str, qualified: str) -> str:
    """The module that is called as an import begins, and lies in the package of the one that imports."""
    package, dot, _ = module.rpartition(".")
    return package + dot + qualified.partition(".")[0] if dot else ""


def _surely_run(fact: Fact) -> Iterator[tuple[str, int]]:
    """What a file imports at its top whatever holds, with the lines."""
    left_out = {line for line, _ in fact.aspects.get("import_guards", ())}
    left_out.update(fact.aspects.get("tried_imports", ()))
    for local, qualified, line in fact.aspects.get("imports", ()):
        if line not in left_out and local != "*":
            yield qualified, line


def _lacking(owner: str, rest: str, library: Library, lookup: Lookup) -> Fact | None:
    """The module that should have a name, and surely has not; None where it is there, or cannot be known.

    Of a longer name (`gone.Cart` of `shop`) it is a module of a package that is missing.
    """
    module = library.module(owner) if rest else None
    if module is None:
        return None
    first, _, more = rest.partition(".")
    if more and (not module.fact.aspects.get("package") or _GENERATED.fullmatch(first)):
        return None
    if lookup.find(module, first).presence is not Presence.ABSENT or _may_be_given(module, first, library):
        return None
    return module.fact


def _may_be_given(module: Module, name: str, library: Library) -> bool:
    """Whether a module imports another of the project that sets this name, or computed ones, of what its functions
    are given."""
    owners = (library.owner(target) for _, target, _ in module.fact.aspects.get("imports", ()))
    imported = {owner[0] for owner in owners if owner is not None}
    return any(
        found.fact.aspects.get("dynamic_classes") or name in found.fact.aspects.get("set_on_others", ())
        for each in imported
        if (found := library.module(each)) is not None
    )


def _imported(source: FactSource) -> set[str]:
    """What the code imports itself, wherever in it, and the modules on the way there."""
    return {
        name
        for relation in source.relations({Verb.IMPORTS})
        if relation.first.startswith("code:")
        for name in _with_packages(relation.second.split(":", 2)[2])
    }


def _with_packages(name: str) -> Iterator[str]:
    """A module's name, and those of the packages that it lies in."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def _promised(source: FactSource) -> set[str]:
    """The qualified names that stubs and other specs promise."""
    kinds = {Kind.MODULE, Kind.CLASS, Kind.FUNCTION, Kind.ATTRIBUTE}
    return {fact.key for fact in source.facts(tag=Tag.SPEC, kinds=kinds)}


def _pair(fact: Fact, qualified: str, line: int, nearest: Fact) -> Pair:
    return Pair(
        kind=Kind.TEST,
        subject=f"file {fact.source.path}",
        place="imports",
        name=qualified,
        spec=None,
        code=witness(fact, qualified, line),
        code_fact=fact,
        differences=(Difference(change="imports", spec=nearest.key, code=qualified),),
    )
