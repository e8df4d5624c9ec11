"""Judges findings against what is known to be true: which tells of a change, which is no difference at all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

import msgspec

from benchmarks.drift.changes import Change, Expectation
from benchmarks.drift.records import Truth
from benchmarks.drift.showing import Sources
from benchmarks.drift.subject import Answer, Subject
from crossval.compare.http import gather
from crossval.findings import Finding
from crossval.link.contracts.placing import place, route_of
from graph.facts import Fact

_PARAMETER = re.compile(r"\{[^}]*\}")
_INNER = re.compile(r"\[\d*\]|\.\*")
_SHOWN_BY_CODE = frozenset({"raised", "returned"})
Route = tuple[str, str]


class Base(msgspec.Struct, frozen=True):
    """What crossfact says of the true contract: false findings, and true ones that the export does not show."""

    answer: Answer
    false: tuple[Finding, ...]
    true: tuple[Finding, ...]
    operations: int
    found: int


def judge_true(subject: Subject, truth: Truth, operations: Mapping[Route, Route], answer: Answer) -> Base:
    """Judge the findings about the true contract, of which `operations` are the ones that it has: as they are written,
    and below the contract's base path, where a framework that takes its routes from it serves them.

    A status that the code raises or returns by itself is true although the framework exports it nowhere, where the
    project's text shows it (`Sources.shows`); so is a route that the framework serves but keeps out of its contract.
    """
    routes = {route(method, path) for method, path in truth.routes}
    facts = {fact.id: fact for fact in subject.facts}
    sources = Sources(subject.folder)
    true = tuple(f for f in answer.findings if _is_true(f, facts, routes, sources))
    read = read_routes(subject.facts, operations)
    return Base(
        answer=answer,
        false=tuple(f for f in answer.findings if f not in true),
        true=true,
        operations=len(operations),
        found=sum(bool({written, served} & read) for written, served in operations.items()),
    )


def read_routes(facts: Iterable[Fact], promised: Iterable[Route]) -> set[Route]:
    """The routes that were read in the code, those below a prefix that only the contract tells among them."""
    operations = gather(facts)
    whole = [each for each in operations if not each.fact.aspects.get("under")]
    hidden = [each for each in operations if each.fact.aspects.get("under")]
    wanted, known = (
        (route_of(*each) for each in promised),
        (route_of(each.method, each.path) for each in whole),
    )
    placed = place(hidden, wanted, known)
    return {route(each.method, each.path) for each in (*whole, *placed.operations)}


def route(method: str, path: str) -> Route:
    """Method and path without the names of parameters."""
    return method.upper(), _PARAMETER.sub("{}", path).rstrip("/") or "/"


def _is_true(finding: Finding, facts: dict[str, Fact], served: set[Route], sources: Sources) -> bool:
    if finding.rule == "operation-undocumented":
        return route(*finding.subject.split(" ", 1)) in served
    if finding.rule != "response-undeclared" or finding.code is None:
        return False
    status = finding.aspect.rpartition(".")[2]
    key, _, document = finding.code.fact.replace("code:operation:", "code:response:").partition("@")
    # Where several applications answer one request, each fact names the file that it stands in.
    named = (facts.get(f"{key}#{status}@{document}"), facts.get(f"{key}#{status}"))
    told = [fact for fact in named if fact is not None and fact.aspects.get("origin") in _SHOWN_BY_CODE]
    return any(sources.shows(fact, status) for fact in told)


def is_found(change: Change, before: Answer, answer: Answer) -> bool:
    """Whether a finding that the true contract does not have tells of the change."""
    known = {finding.fingerprint for finding in before.findings}
    new = [finding for finding in answer.findings if finding.fingerprint not in known]
    return any(_tells(finding, expected) for finding in new for expected in change.expected)


def _tells(finding: Finding, expected: Expectation) -> bool:
    if not any(_same_subject(finding.subject, subject) for subject in expected.subjects):
        return False
    segments = [each.lower() for each in _INNER.sub("", finding.aspect).split(".")]
    wanted = [each.lower() for segment in expected.segments for each in segment.split(".")]
    if expected.aspects and segments[-1].lower() not in {aspect.lower() for aspect in expected.aspects}:
        return False
    length = len(wanted)
    return any(segments[start : start + length] == wanted for start in range(len(segments) - length + 1))


def _same_subject(found: str, wanted: str) -> bool:
    """Whether two subjects are the same operation, base paths and names of parameters apart, or the same schema."""
    method, _, path = wanted.partition(" ")
    if method == "schema":
        return found == wanted
    other, _, place = found.partition(" ")
    return other == method and _PARAMETER.sub("{}", place).endswith(_PARAMETER.sub("{}", path))


def false_of_neutral(before: Answer, answer: Answer) -> list[Finding]:
    """The findings that a neutral change brought, renamed or moved ones apart."""
    known = set(map(_essence, before.findings))
    return [finding for finding in answer.findings if _essence(finding) not in known]


def _essence(finding: Finding) -> str:
    values = [witness.value if witness else None for witness in (finding.spec, finding.code)]
    return json.dumps([finding.rule, finding.aspect.rpartition(".")[2], values], sort_keys=True, default=str)


def shown(findings: Iterable[Finding]) -> list[str]:
    """One line per finding."""
    return [f"{each.rule}: {each.subject} [{each.aspect}] {each.message}" for each in findings]
