"""Aligns acceptance criteria with the tests that cite them."""

from __future__ import annotations

from crossval.alignment import Alignment
from crossval.findings import witness
from crossval.pairs import Pair
from graph.facts import Fact, Kind, Tag, Verb
from graph.source import FactSource


def align_criteria(source: FactSource) -> Alignment:
    """Pairs of criteria with the tests that cite them or their story; those that nothing cites stand alone.

    Only criteria that can be cited count, by an id of their own or their story's, and only in a project where
    some test cites such an id: elsewhere nothing follows from a test's silence.
    """
    criteria = list(source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION}))
    if not criteria:
        return Alignment()
    stories = {fact.id: fact for fact in source.facts(tag=Tag.SPEC, kinds={Kind.STORY})}
    tests = {fact.id: fact for fact in source.facts(tag=Tag.TEST, kinds={Kind.TEST})}
    citing = _citations(source, tests)
    parents = {
        relation.second: stories[relation.first]
        for relation in source.relations({Verb.CONTAINS})
        if relation.first in stories
    }
    explicit = {fact.key for fact in (*criteria, *stories.values()) if fact.aspects.get("explicit_id")}
    pairs = []
    seen = not explicit.isdisjoint(citing)
    for criterion in criteria:
        story = parents.get(criterion.id)
        keys = [fact.key for fact in (criterion, story) if fact is not None]
        if explicit.isdisjoint(keys):
            continue
        cited = [citing[key] for key in keys if key in citing]
        seen = seen or bool(cited)
        test = next((tests[identity] for identity in cited if identity in tests), None)
        if test is not None or not cited:
            pairs.append(_pair(criterion, test))
    return Alignment(pairs if seen else [])


def _citations(source: FactSource, tests: dict[str, Fact]) -> dict[str, str]:
    """Key of what is cited → id of the first test, or test file, that cites it."""
    found: dict[str, str] = {}
    for identity, test in tests.items():
        for cited, _ in test.aspects.get("cites", []):
            found.setdefault(_key(cited), identity)
    for relation in source.relations({Verb.VERIFIES}):
        found.setdefault(_key(relation.second), relation.first)
    return found


def _key(cited: str) -> str:
    """The key of a cited id, which may be written in full (`spec:criterion:US-3.2`) or alone (`US-3.2`)."""
    return cited.split(":", 2)[-1].partition("@")[0] if cited.startswith("spec:") else cited


def _pair(criterion: Fact, test: Fact | None) -> Pair:
    return Pair(
        kind=Kind.CRITERION,
        subject=f"criterion {criterion.key}",
        place="tests",
        name=criterion.key,
        spec=witness(criterion, criterion.aspects.get("text") or criterion.aspects.get("title")),
        code=witness(test) if test else None,
        spec_fact=criterion,
        code_fact=test,
    )
