"""Aligns acceptance criteria with the tests that cite them."""

from __future__ import annotations

import re
from collections import Counter

from crossval.alignment import Alignment
from crossval.findings import witness
from crossval.link.stories.step_definitions import runnable
from crossval.link.traces.tags import cited_key, own_part
from crossval.pairs import Pair
from graph.facts import Fact, Kind, Tag, Verb
from graph.source import FactSource

_LEAST = 0.2
"""Which share of the criteria with ids tests have to cite before those that none cites are told."""
_SEVERAL = 3
"""So many ids of one family are not cited by chance only."""
_NUMBERED = re.compile(r"[A-Z]+-?\d")


def align_criteria(source: FactSource) -> Alignment:
    """Pairs of criteria with the tests that cite them or their story; those that nothing cites stand alone.

    Only criteria that can be cited count, by an id of their own or of their story, and where tests use to cite them:
    where they name one by the way, or none of a whole family of ids (`SC-001`, `SC-002`), nothing follows from silence.
    A scenario whose steps are defined is a test itself.
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
    cited: Counter[str] = Counter()
    citable: Counter[str] = Counter()
    for criterion in criteria:
        story = parents.get(criterion.id)
        keys = [fact.key for fact in (criterion, story) if fact is not None]
        if explicit.isdisjoint(keys):
            continue
        family = _family(criterion.key)
        citable[family] += 1
        by = [citing[key] for key in keys if key in citing]
        cited[family] += bool(by)
        test = next((tests[identity] for identity in by if identity in tests), None)
        if test is not None or not by:
            pairs.append(_pair(criterion, test))
    custom = {family for family, count in citable.items() if cited[family] or count < _SEVERAL}
    if cited.total() < _LEAST * citable.total():
        custom = set()
    # Where only stories without criteria are cited, those are the custom.
    if not cited.total() and not explicit.isdisjoint(citing):
        custom = set(citable)
    pairs = [pair for pair in pairs if _family(pair.name) in custom]
    if any(_is_uncited_scenario(pair) for pair in pairs):
        run = runnable(source)
        pairs = [
            pair
            for pair in pairs
            if not (_is_uncited_scenario(pair) and pair.spec_fact and pair.spec_fact.id in run)
        ]
    return Alignment(pairs)


def _is_uncited_scenario(pair: Pair) -> bool:
    return pair.code is None and pair.spec is not None and pair.spec.path.endswith(".feature")


def _family(key: str) -> str:
    """What ids of one kind have in common: `FR-001` and `FR-2.1` are both of `FR`."""
    return key.partition("-")[0] if _NUMBERED.match(key) else ""


def _citations(source: FactSource, tests: dict[str, Fact]) -> dict[str, str]:
    """Key of what is cited → id of the first test, or test file, that cites it."""
    cited = [
        (each, identity) for identity, test in tests.items() for each, _ in test.aspects.get("cites", [])
    ]
    cited += [(relation.second, relation.first) for relation in source.relations({Verb.VERIFIES})]
    found: dict[str, str] = {}
    for each, identity in cited:
        key = cited_key(each)
        found.setdefault(key, identity)
        found.setdefault(own_part(key), identity)
    return found


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
