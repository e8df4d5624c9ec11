"""The thread of a story: what it demands and claims, what implements and tests that, and what disagrees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crossval.findings import Finding
from crossval.link.stories.step_definitions import Steps, scenarios
from crossval.link.traces.records import Link
from crossval.report.threads import Strand, Thread
from graph.facts import Fact, Kind, Tag, Verb
from graph.store.store import Store
from graph.view import neighbours

_LIKELY = 0.4
"""From this confidence on, what is wrong with the code that a criterion is tied to is shown in its thread."""

_HANDLED = frozenset({Verb.HANDLED_BY})
_TESTED = frozenset({Verb.CALLS, Verb.VERIFIES})


def threads(
    store: Store, roots: Iterable[Fact], links: dict[str, tuple[Link, ...]], findings: Sequence[Finding]
) -> list[Thread]:
    """The thread of each root, which is a story or a criterion, with the criteria of a story below it."""
    steps = Steps(store) if scenarios(store) else None
    return [_thread(store, fact, links, findings, steps) for fact in roots]


def _thread(
    store: Store,
    fact: Fact,
    links: dict[str, tuple[Link, ...]],
    findings: Sequence[Finding],
    steps: Steps | None,
) -> Thread:
    defining = _defining(steps, fact)
    own = {strand.fact.id for strand in defining}
    strands = [strand for strand in _strands(store, links.get(fact.id, ())) if strand.fact.id not in own]
    code = tuple(strand for strand in strands if strand.fact.tag is not Tag.TEST)
    tests = (*defining, *(strand for strand in strands if strand.fact.tag is Tag.TEST))
    below = () if fact.kind is not Kind.STORY else _criteria(store, fact)
    return Thread(
        fact=fact,
        claims=tuple(fact.aspects.get("claims", ())),
        code=code,
        tests=tests,
        findings=tuple(each for each in findings if _concerns(each, fact, code)),
        criteria=tuple(_thread(store, each, links, findings, steps) for each in below),
    )


def _defining(steps: Steps | None, fact: Fact) -> tuple[Strand, ...]:
    """The step definitions of a scenario, which is a test itself once its steps are defined."""
    if steps is None or fact.kind is not Kind.CRITERION or not fact.source.path.endswith(".feature"):
        return ()
    found: dict[str, Strand] = {}
    for taken in steps.taken([fact]):
        for each in taken.by:
            found.setdefault(each.fact.id, Strand(each.fact, 1.0, f"defines the step “{taken.step}”"))
    return tuple(found.values())


def _criteria(store: Store, story: Fact) -> list[Fact]:
    found = [
        other
        for relation, other in neighbours(store, story)
        if relation.verb is Verb.CONTAINS and other.kind is Kind.CRITERION
    ]
    return sorted(found, key=lambda each: (each.source.path, each.source.line, each.id))


def _strands(store: Store, links: Sequence[Link]) -> list[Strand]:
    """The linked facts, the functions that handle linked operations, and the tests that call what is linked."""
    found: dict[str, Strand] = {}
    for link in links:
        for fact in store.named(link.other):
            found.setdefault(fact.id, Strand(fact, link.confidence, link.reason))
    for strand in list(found.values()):
        if strand.fact.kind is Kind.OPERATION:
            for function in _at_other_end(store, strand.fact, _HANDLED, Kind.FUNCTION):
                found.setdefault(
                    function.id, Strand(function, strand.confidence, "handles it", strand.fact.id)
                )
    for strand in list(found.values()):
        if strand.fact.tag is Tag.CODE:
            for test in _at_other_end(store, strand.fact, _TESTED, Kind.TEST):
                known = found.get(test.id)
                if known is None or known.confidence < strand.confidence:
                    found[test.id] = Strand(test, strand.confidence, "calls it", strand.fact.id)
    return sorted(found.values(), key=lambda each: (-each.confidence, bool(each.via), each.fact.id))


def _at_other_end(store: Store, fact: Fact, verbs: frozenset[Verb], kind: Kind) -> list[Fact]:
    return [
        other for relation, other in neighbours(store, fact) if relation.verb in verbs and other.kind is kind
    ]


def _concerns(finding: Finding, fact: Fact, code: Sequence[Strand]) -> bool:
    """Whether a finding speaks of a criterion itself, or of an operation, function or class that it likely means."""
    witnesses = {each.fact for each in (finding.spec, finding.code, *finding.related) if each is not None}
    if fact.id in witnesses:
        return True
    likely = [strand for strand in code if strand.confidence >= _LIKELY]
    tied = {strand.fact.id for strand in likely}
    keys = {strand.fact.key for strand in likely if strand.fact.kind is Kind.OPERATION}
    return bool(witnesses & tied) or finding.subject in keys or any(each in keys for each in finding.affects)
