"""The priority of a test case as a sum of terms, each explained: what is wrong, what matters, what may break."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from crossval.findings import Finding, FindingKind, Severity
from crossval.link.traces.records import Link
from graph.facts import Fact, Kind, Tag, Verb
from graph.source import FactSource
from planner.cases import Case, Layer, Status, Technique, Term
from planner.functions.interface_cases import MEMBERS

_SEVERITY = {Severity.ERROR: 40.0, Severity.WARNING: 20.0, Severity.NOTE: 5.0}
_CHANCE = {Severity.ERROR: 0.9, Severity.WARNING: 0.6, Severity.NOTE: 0.2}
_TECHNIQUE = {
    Technique.SUCCESS: 12.0,
    Technique.CRITERION: 12.0,
    Technique.EXAMPLE: 11.0,
    Technique.CALLABLE: 10.0,
    Technique.IMPORTABLE: 10.0,
    Technique.READ_BACK: 9.0,
    Technique.GONE: 9.0,
    Technique.ERROR: 8.0,
    Technique.AUTH_MISSING: 8.0,
    Technique.RAISES: 8.0,
    Technique.RETURNS: 7.0,
    Technique.REQUIRED_MISSING: 6.0,
    Technique.DEFAULT: 5.0,
    Technique.BOUND_BROKEN: 5.0,
    Technique.BOUND_KEPT: 4.0,
    Technique.LIMITED: 4.0,
    Technique.PAGED: 4.0,
    Technique.NARROWED: 5.0,
    Technique.SORTED: 4.0,
    Technique.UNKNOWN_VALUE: 4.0,
    Technique.UNKNOWN_FIELD: 3.0,
    Technique.WRONG_TYPE: 3.0,
    Technique.PROPERTY: 3.0,
    Technique.EFFECT: 3.0,
    Technique.WHOLE: 4.0,
    Technique.REPEATABLE: 2.0,
    Technique.SAYS: 2.0,
}
_COST = {Layer.STATIC: 0.0, Layer.UNIT: -0.5, Layer.INTEGRATION: -1.0, Layer.END_TO_END: -3.0}
_URGENT = {
    "critical": 15.0, "blocker": 15.0, "must": 12.0, "high": 12.0, "p0": 15.0, "p1": 12.0, "1": 12.0,
    "should": 6.0, "medium": 6.0, "p2": 6.0, "2": 6.0, "smoke": 8.0,
    "could": 2.0, "low": 2.0, "p3": 2.0, "3": 2.0, "wont": -5.0, "won't": -5.0,
}  # fmt: skip
_WHOLE = frozenset(
    {Technique.SUCCESS, Technique.EXAMPLE, Technique.READ_BACK, Technique.REPEATABLE, Technique.DEFAULT}
)
"""What looks at a whole answer or sends a whole body, and so meets a fault in any field of a schema in it."""

_EVERY_ANSWER = frozenset({"exists", "security"})
"""What every test of an operation meets; its fact says many more things, and a test cites it for one of them."""

_FAILED = frozenset({Status.FAILED, Status.CODE_WRONG, Status.FLAKY, Status.RETRYING})
_RAN = _FAILED | {Status.PASSED, Status.HEALED, Status.RED_EXPECTED}
_PARAMETER = re.compile(r"\{[^}]*\}")
_LONG_FUNCTION = 60
_OFTEN = 30


class Surroundings(msgspec.Struct, frozen=True):
    """What priorities are computed from, beside the cases: what was found, which links there are, what ran before."""

    source: FactSource
    findings: Sequence[Finding]
    links: Mapping[str, Sequence[Link]]
    past: Sequence[Case]


class Ranker:
    """Computes priorities; the facts are looked through once."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._findings = surroundings.findings
        self._risks = _Risks(surroundings.source)
        self._wishes = _wishes(surroundings)
        self._past: dict[str, list[Case]] = {}
        for case in surroundings.past:
            self._past.setdefault(case.subject, []).append(case)

    def ranked(self, case: Case) -> Case:
        """The case with its priority, the terms that it is the sum of, and the findings that it would show."""
        about = [each for each in self._findings if concerns(each, case)]
        terms = [*self._of_findings(about), *self._of_importance(case), *self._of_risk(case, about)]
        cost = _COST[case.layer]
        if cost:
            terms.append(Term("cost", cost, f"a test of layer {case.layer} takes time"))
        priority = round(sum(term.points for term in terms), 2)
        prints = tuple(dict.fromkeys(each.fingerprint for each in about))
        return msgspec.structs.replace(case, priority=priority, why=tuple(terms), findings=prints)

    def _of_findings(self, about: Sequence[Finding]) -> Iterable[Term]:
        if not about:
            return
        worst = max(about, key=lambda each: (each.severity.rank, each.kind is not FindingKind.DEFECT))
        yield Term("finding", _SEVERITY[worst.severity], f"{worst.severity} {worst.rule}: {worst.message}")
        if worst.kind is not FindingKind.DEFECT:
            yield Term("kind", 10.0, f"it is a {worst.kind}")

    def _of_importance(self, case: Case) -> Iterable[Term]:
        yield Term("technique", _TECHNIQUE.get(case.technique, 1.0), f"the weight of {case.technique} tests")
        wishes = [
            self._wishes[fact]
            for fact in (*case.cites, f"spec:operation:{case.subject}")
            if fact in self._wishes
        ]
        if wishes:
            yield max(wishes, key=lambda term: term.points)

    def _of_risk(self, case: Case, about: Sequence[Finding]) -> Iterable[Term]:
        risk, why = self._risks.of(case)
        past = self._past.get(case.subject, [])
        failed = sum(
            each.status in _FAILED or each.retry_count > 0 or bool(each.healing_history) for each in past
        )
        ran = sum(each.status in _RAN for each in past)
        before = (failed + 1) / (ran + 2) if ran else 0.0
        found = max((_CHANCE[each.severity] for each in about), default=0.0)
        chance = 1 - (1 - found) * (1 - risk) * (1 - before)
        reasons = [*why, *([f"{failed} of {ran} tests of it failed before"] if ran else [])]
        if found:
            reasons.append("a finding predicts it")
        yield Term(
            "chance to fail",
            round(10 * chance, 2),
            f"{chance:.0%}: {', '.join(reasons) or 'nothing speaks for it'}",
        )


def concerns(finding: Finding, case: Case) -> bool:
    """Whether a test of this case would show what the finding says."""
    witness = finding.spec.fact if finding.spec else ""
    of_many = witness == f"{Tag.SPEC}:{Kind.OPERATION}:{case.subject}"
    if witness in case.cites and (not of_many or finding.aspect in _EVERY_ANSWER):
        return True
    subjects = {case.subject, *(_subject(each) for each in case.cites if MEMBERS in case.target)}
    if not subjects & {finding.subject, *finding.affects}:
        return False
    if finding.aspect == "exists" or finding.aspect == case.aspect:
        return True
    if finding.subject.startswith("schema ") and case.technique in _WHOLE:
        return True
    return case.aspect.startswith(f"{finding.aspect}.") or finding.aspect.startswith(f"{case.aspect}.")


def _subject(fact: str) -> str:
    """The subject of a fact by its id."""
    return fact.partition(":")[2].replace(":", " ", 1)


def _wishes(surroundings: Surroundings) -> dict[str, Term]:
    """How much a story wants its criteria and what is linked to them: by its priority, its tags, its place."""
    wanted: dict[str, Term] = {}
    stories = sorted(
        surroundings.source.facts(tag=Tag.SPEC, kinds={Kind.STORY}),
        key=lambda fact: (fact.source.path, fact.source.line),
    )
    criteria: dict[str, list[str]] = {}
    for relation in surroundings.source.relations({Verb.CONTAINS}):
        criteria.setdefault(relation.first, []).append(relation.second)
    for number, story in enumerate(stories):
        term = _wish(story, number, len(stories))
        for fact in (story.id, *criteria.get(story.id, ())):
            for each in (fact, *(link.other for link in surroundings.links.get(fact, ()))):
                each = each.replace("code:operation:", "spec:operation:", 1)
                if each not in wanted or wanted[each].points < term.points:
                    wanted[each] = term
    return wanted


def _wish(story: Fact, number: int, count: int) -> Term:
    words = [str(story.aspects.get("priority", "")).lower(), *map(str.lower, story.aspects.get("tags", ()))]
    said = [(points, word) for word in words if (points := _URGENT.get(word.lstrip("@"))) is not None]
    if said:
        points, word = max(said)
        return Term("importance", points, f"{story.key} is marked {word}")
    return Term(
        "importance", round(5 * (1 - number / count), 2), f"{story.key} is story {number + 1} of {count}"
    )


class _Risks:
    """How likely the code behind a case is to break: changed often and by many, called by many, long."""

    def __init__(self, source: FactSource) -> None:
        self._functions = {fact.id: fact for fact in source.facts(tag=Tag.CODE, kinds={Kind.FUNCTION})}
        self._handlers: dict[str, str] = {}
        for relation in source.relations({Verb.HANDLED_BY}):
            self._handlers[_normal(relation.first.split(":", 2)[2])] = relation.second
        commits = {fact.id: str(fact.aspects.get("author", "")) for fact in source.facts(kinds={Kind.COMMIT})}
        self._changes: dict[str, list[str]] = {}
        for relation in source.relations({Verb.TOUCHES}):
            self._changes.setdefault(relation.second, []).append(commits.get(relation.first, ""))
        self._callers: dict[str, int] = {}
        for relation in source.relations({Verb.CALLS}):
            self._callers[relation.second] = self._callers.get(relation.second, 0) + 1

    def of(self, case: Case) -> tuple[float, list[str]]:
        """A chance between 0 and 0.5, and why."""
        function = self._functions.get(self._handlers.get(_normal(case.subject), ""))
        subjects = [_subject(each) for each in case.cites] if MEMBERS in case.target else [case.subject]
        known = (
            self._functions.get(f"{Tag.CODE}:{Kind.FUNCTION}:{each.partition(' ')[2]}") for each in subjects
        )
        every = [function] if function is not None else [each for each in known if each is not None]
        return max(map(self._of_function, every), default=(0.0, []), key=lambda told: told[0])

    def _of_function(self, function: Fact) -> tuple[float, list[str]]:
        names = (function.id, f"{Tag.CODE}:*:{function.key}")
        changes = [author for name in names for author in self._changes.get(name, ())]
        callers = sum(self._callers.get(name, 0) for name in names)
        length = function.source.end_line - function.source.line + 1
        parts = [
            (0.2 * min(1.0, math.log1p(len(changes)) / math.log1p(_OFTEN)), f"changed {len(changes)} times"),
            (0.05 * min(1.0, max(0, len(set(changes)) - 1) / 4), f"by {len(set(changes))} people"),
            (
                0.1 * min(1.0, math.log1p(callers) / math.log1p(_OFTEN)),
                f"called from {callers} {'place' if callers == 1 else 'places'}",
            ),
            (0.15 * min(1.0, length / _LONG_FUNCTION), f"{length} lines long"),
        ]
        return sum(points for points, _ in parts), [why for points, why in parts if points >= 0.02]


def _normal(operation: str) -> str:
    return _PARAMETER.sub("{}", operation)
