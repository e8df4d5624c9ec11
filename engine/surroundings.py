"""What a report shows beside its findings, gathered for renderers: threads, figures of tests, facts around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crossval.findings import Finding, Witness
from crossval.report.surroundings import CaseFigures, Surroundings
from crossval.report.threads import Thread
from engine.links import project_links
from engine.project import Project
from engine.ties import link_ties
from engine.trace import threads
from graph.facts import Kind, Relation, Verb
from graph.part import part_around
from planner.cases import Case, Proof

_SUREST = 3
"""So many of the surest links of each criterion are drawn into the picture of the graph, beside the likely ones."""


def story_threads(project: Project, findings: Sequence[Finding]) -> tuple[Thread, ...]:
    """The thread of each story, and of each criterion that no story holds, in the order of their files."""
    links = project_links(project)
    stories = threads(project.store, project.store.facts(kinds={Kind.STORY}), links, findings)
    held = {criterion.fact.id for story in stories for criterion in story.criteria}
    alone = (fact for fact in project.store.facts(kinds={Kind.CRITERION}) if fact.id not in held)
    found = [*stories, *threads(project.store, alone, links, findings)]
    return tuple(sorted(found, key=lambda each: (each.fact.source, each.fact.id)))


def surroundings(project: Project, findings: Sequence[Finding]) -> Surroundings:
    """The cases of the checklist in figures, and what the fact graph has around the findings and the stories."""
    from engine.planning import read_cases

    links = project_links(project)
    spoken = [each for finding in findings for each in _witnesses(finding)]
    stories = [fact.id for fact in project.store.facts(kinds={Kind.STORY, Kind.CRITERION})]
    added = [*_disagreements(findings), *link_ties(links, _SUREST)]
    part = part_around(project.store, dict.fromkeys([*(each.fact for each in spoken), *stories]), added)
    return Surroundings(tuple(_figures(case) for case in read_cases(project)), part)


def _witnesses(finding: Finding) -> list[Witness]:
    return [each for each in (finding.spec, finding.code) if each is not None]


def _disagreements(findings: Sequence[Finding]) -> Iterator[Relation]:
    told: dict[tuple[str, str], str] = {}
    for finding in findings:
        if finding.spec and finding.code and finding.spec.fact != finding.code.fact:
            told.setdefault((finding.code.fact, finding.spec.fact), finding.rule)
    for (code, spec), rule in told.items():
        yield Relation(Verb.CONTRADICTS, code, spec, reason=rule)


def _figures(case: Case) -> CaseFigures:
    proof = case.proof or Proof()
    return CaseFigures(
        id=case.id,
        description=case.description,
        subject=case.subject,
        technique=case.technique,
        layer=case.layer,
        status=case.status,
        priority=case.priority,
        cites=case.cites,
        node=case.node,
        needs=case.needs,
        error=case.last_error,
        real=proof.real,
        reason=proof.reason,
        twins_green=proof.twins_green,
        twins=proof.twins,
        mutants_killed=proof.mutants_killed,
        mutants=proof.mutants,
        holds=proof.holds,
        heals=case.healing_history,
    )
