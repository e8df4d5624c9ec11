"""Finds the modules of the code that no story, contract or stub leads to."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.alignment import Alignment
from crossval.findings import witness
from crossval.link.traces.linking import links
from crossval.link.traces.records import Decisions
from crossval.pairs import Pair
from graph.facts import Fact, Kind, Tag, Verb
from graph.patterns import pattern
from graph.source import FactSource

_HOLE = pattern(r"\{[^{}]*\}")
_AROUND = pattern(r"(?:^|\.)(?:__main__|__version__|conftest|setup|manage|wsgi|asgi)$|(?:^|\.)migrations\.")


def align_asked_modules(source: FactSource, decisions: Decisions | None = None) -> Alignment:
    """A pair for each module that nothing which somebody asked for needs; none where nobody asks for anything.

    Asked for is what a stub describes, what handles an operation of a contract, and what a story or criterion is
    linked with, even by words alone; and what that imports. A module that nobody imports and that brings together what
    is asked for is needed as well.
    """
    modules = {fact.key: fact for fact in source.facts(tag=Tag.CODE, kinds={Kind.MODULE})}
    asked = set(_asked(source, decisions)) & modules.keys()
    if not asked:
        return Alignment()
    uses = _imports(source, modules)
    reached, waiting = set(asked), sorted(asked)
    while waiting:
        further = uses.get(waiting.pop(), set()) - reached
        reached |= further
        waiting += sorted(further)
    imported = {other for others in uses.values() for other in others}
    reached |= {name for name, others in uses.items() if name not in imported and others & reached}
    return Alignment([_pair(fact) for name, fact in modules.items() if name not in reached and _counts(fact)])


def _asked(source: FactSource, decisions: Decisions | None) -> Iterator[str]:
    """The modules that somebody asks for by themselves."""
    yield from (fact.key for fact in source.facts(tag=Tag.SPEC, kinds={Kind.MODULE}))
    told = set()
    for fact in source.facts(kinds={Kind.OPERATION}):
        if fact.tag is Tag.SPEC:
            told.add(_route(fact))
    wanted = {link.other for group in links(source, decisions).values() for link in group}
    for fact in source.facts(
        tag=Tag.CODE, kinds={Kind.OPERATION, Kind.FUNCTION, Kind.CLASS, Kind.ATTRIBUTE, Kind.FIELD}
    ):
        served = fact.kind is Kind.OPERATION and _route(fact) in told
        if served or fact.id in wanted:
            yield source.module_of(fact)
            yield str(fact.aspects.get("handler") or "").rpartition(".")[0]


def _route(fact: Fact) -> tuple[str, str]:
    method, _, path = fact.key.partition(" ")
    return method, _HOLE.sub("{}", path).rstrip("/")


def _imports(source: FactSource, modules: dict[str, Fact]) -> dict[str, set[str]]:
    """Module → the modules of the project that it imports, whole or something of them."""
    found: dict[str, set[str]] = {}
    for relation in source.relations({Verb.IMPORTS}):
        first, parts = relation.first.split(":", 2)[2], relation.second.split(":", 2)[2].split(".")
        names = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
        other = next((name for name in names if name in modules), None)
        if other is not None and first in modules:
            found.setdefault(first, set()).add(other)
    return found


def _counts(fact: Fact) -> bool:
    return not fact.aspects.get("package") and _AROUND.search(fact.key) is None


def _pair(fact: Fact) -> Pair:
    return Pair(
        kind=Kind.MODULE,
        subject=f"module {fact.key}",
        place="asked",
        name=fact.key,
        spec=None,
        code=witness(fact),
        code_fact=fact,
    )
