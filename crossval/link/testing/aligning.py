"""Aligns tests with what they are about: contracts, the code's names, and the facts that they cite."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.alignment import Alignment
from crossval.findings import Witness, witness
from crossval.link.names.targets import Target
from crossval.link.testing.answers import expected_answers
from crossval.link.testing.imports import imported_in_vain
from crossval.pairs import Difference, Pair
from graph.facts import Fact, Kind, Tag, Verb
from graph.source import FactSource

_KINDS = frozenset(kind.value for kind in Kind)


def align_tests(source: FactSource, target: Target | None = None) -> Alignment:
    """Pairs about single tests; `place` says in which respect.

    `answers`: a status that a test expects of an operation and the contract does not declare. `imports`: a name that a
    test file imports from a module of the project, which has none such. `citations`: the id of a fact that a test cites
    and that is not there. `assertions`: one that does not check what it says.
    """
    return Alignment(
        [
            *expected_answers(source, list(_tests(source, "answers"))),
            *imported_in_vain(source, target),
            *_cited_in_vain(source),
            *_idle(source),
        ]
    )


def _tests(source: FactSource, aspect: str) -> Iterator[Fact]:
    return source.facts(tag=Tag.TEST, kinds={Kind.TEST}, having=aspect)


def _idle(source: FactSource) -> Iterator[Pair]:
    """The first assertion of each test that does not check what it says."""
    for fact in _tests(source, "idle"):
        for text, why, line in fact.aspects["idle"][:1]:
            shown = witness(fact, text, line)
            yield _pair(fact, "assertions", shown, Difference(change=why, spec=None, code=text))


def _cited_in_vain(source: FactSource) -> Iterator[Pair]:
    """The ids of facts that tests cite and nothing has, where specs have others of that kind."""
    cited = [
        relation
        for relation in source.relations({Verb.VERIFIES})
        if relation.first.startswith("test:test:") and not relation.second.startswith("spec:*:")
    ]
    kinds = {Kind(kind) for kind in {_kind(relation.second) for relation in cited} if kind in _KINDS}
    if not kinds:
        return
    there = {fact.id for fact in source.facts(tag=Tag.SPEC, kinds=kinds)}
    alone = {identity.partition("@")[0] for identity in there}
    known = {_kind(identity) for identity in there}
    gone = [
        relation
        for relation in cited
        if _kind(relation.second) in known and relation.second not in there and relation.second not in alone
    ]
    tests = {fact.id: fact for fact in _tests(source, "cites")} if gone else {}
    for relation in gone:
        if fact := tests.get(relation.first):
            shown = witness(fact, relation.second, relation.line)
            yield _pair(fact, "citations", shown, name=relation.second)


def _kind(identity: str) -> str:
    return identity.split(":")[1]


def _pair(fact: Fact, place: str, shown: Witness, *differences: Difference, name: str = "") -> Pair:
    return Pair(
        kind=Kind.TEST,
        subject=f"test {fact.key}",
        place=place,
        name=name or fact.key,
        spec=None,
        code=shown,
        code_fact=fact,
        differences=differences,
    )
