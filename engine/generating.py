"""Writes the tests of a plan: each case goes to its generator, and what comes back goes into files."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

import msgspec

from engine.generators.files import Known, Placed, place, take_out
from engine.journal import Journal, applied
from engine.planning import checklist_file, checklist_lock
from engine.plugins import generators
from engine.project import Project
from engine.proving import prove
from engine.proving_functions import prove_functions
from engine.running.runner import PytestValidator
from engine.testbed import testbed
from graph.faults import Attempt
from planner.cases import Case, Status
from planner.checklist import load, save
from planner.generator import Context, Declined, Draft, Generator
from planner.validator import Validator

_OPEN = frozenset({Status.PENDING, Status.NEEDS_HUMAN, Status.GENERATED, Status.REJECTED})

_MODEL = "model"
_READ = {
    "generator": _MODEL,
    "router": "a model read its words; facts and words bear out what it made of them",
}
_NEAR = 60
"""So many facts are searched for operations that a criterion may be about."""


class Generated(msgspec.Struct, frozen=True):
    """What generating did: the cases of the checklist as they are now, the drafts that were written, what was kept.

    `kept` are the ids of tests that a person edited; `declined` those that need a person first; `rejected` those that
    twins showed to be weak or wrong, and that were taken out again.
    """

    cases: tuple[Case, ...]
    drafts: tuple[Draft, ...]
    kept: tuple[str, ...]
    declined: tuple[str, ...]
    rejected: tuple[str, ...]


def generate(
    project: Project,
    *,
    wanted: Callable[[Case], bool] = lambda case: True,
    progress: Callable[[int, int], None] | None = None,
    validator: Validator | None = None,
) -> Generated:
    """Write the tests of the checklist's cases that are still open and wanted, prove them on twins, and note it.

    A case that no generator can write becomes `NEEDS_HUMAN` with the piece that is missing. Raises ConfigurationError
    where the checklist has mistakes, UsageError where a file of tests cannot be changed.
    """
    file = checklist_file(project)
    with checklist_lock(project):
        checklist = load(file)
        standing = applied(project, checklist.cases)
        bed = testbed(project)
        chosen = [
            case for case in standing if case.status in _OPEN and not case.is_under_review and wanted(case)
        ]
        every = (*generators(), *_asking(project))
        answers = _answers(chosen, bed.context, every, progress or (lambda done, total: None))
        drafts = {each.case: each for each in answers.values() if isinstance(each, Draft)}
        known = {case.id: Known(case.node, case.digest) for case in standing if case.node}
        placed = {each.case: each for each in place(project.root, [*drafts.values()], known)}
        if drafts:
            bed.write()
        cases = []
        for case in standing:
            answer = answers.get(case.id)
            if isinstance(answer, Declined):
                case = msgspec.structs.replace(case, status=Status.NEEDS_HUMAN, needs=answer.needs)
            elif case.id in placed:
                case = _written(case, drafts[case.id], placed[case.id])
            cases.append(case)
        fresh = [case for case in cases if case.id in placed and not placed[case.id].kept]
        proven = _proven(project, fresh, validator or PytestValidator())
        rejected = [case for case in proven.values() if case.status is Status.REJECTED]
        take_out(project.root, [Known(case.node, case.digest) for case in rejected])
        cases = [_without_test(proven.get(case.id, case)) for case in cases]
        save(file, checklist, cases)
        Journal(project).end()
    return Generated(
        cases=tuple(cases),
        drafts=tuple(drafts.values()),
        kept=tuple(each.case for each in placed.values() if each.kept),
        declined=tuple(case for case, each in answers.items() if isinstance(each, Declined)),
        rejected=tuple(case.id for case in rejected),
    )


def _written(case: Case, draft: Draft, placed: Placed) -> Case:
    """A case whose test stands in a file now."""
    is_new = placed.digest != case.digest or not case.node
    is_generated = is_new or case.status in (Status.PENDING, Status.NEEDS_HUMAN)
    case = msgspec.structs.replace(
        case,
        node=placed.node,
        digest=placed.digest,
        module_path=draft.module_path,
        target={**case.target, **draft.target},
        cites=_cited(case, draft),
        needs="",
        status=Status.GENERATED if is_generated else case.status,
    )
    return msgspec.structs.replace(case, **_READ) if draft.target else case


def _proven(project: Project, cases: Sequence[Case], runner: Validator) -> dict[str, Case]:
    """By their ids the cases that twins could judge, with what these showed."""
    return {
        **prove(project.root, cases, project.store, runner),
        **prove_functions(project.root, cases, project.store, runner),
    }


def _cited(case: Case, draft: Draft) -> tuple[str, ...]:
    """What a case cites, with what its test cites of a target that only the generator found."""
    more = (fact for each in draft.assertions for fact in each.cites) if draft.target else ()
    return tuple(dict.fromkeys((*case.cites, *more)))


def _without_test(case: Case) -> Case:
    """A rejected case has no test any more."""
    return msgspec.structs.replace(case, node="", digest="") if case.status is Status.REJECTED else case


def _asking(project: Project) -> Iterator[Generator]:
    """The generator that asks a model, where one is configured: it comes after those that need none."""
    settings = project.settings
    if not settings.llm_url or not settings.llm_model:
        return
    from engine.asking import searcher
    from engine.llm.asking import Asker, Budget
    from engine.llm.client import language_model
    from engine.llm.generator import ModelGenerator

    def find(words: str) -> list[str]:
        hits = searcher(project, words, tell=lambda line: None).search(words, limit=_NEAR)
        return [hit.fact.id for hit in hits]

    folder = (project.root / settings.store).parent / "replies"
    budget = Budget(settings.llm_calls, settings.llm_tokens, settings.llm_seconds)
    yield ModelGenerator(Asker(language_model(settings), folder, budget), find)


def _answers(
    cases: Sequence[Case],
    context: Context,
    every: Sequence[Generator],
    progress: Callable[[int, int], None],
) -> dict[str, Draft | Declined]:
    answers: dict[str, Draft | Declined] = {}
    for number, case in enumerate(cases):
        progress(number, len(cases))
        answers[case.id] = _answer(case, context, every)
    progress(len(cases), len(cases))
    return answers


def _answer(case: Case, context: Context, every: Sequence[Generator]) -> Draft | Declined:
    """What the chosen generator says, else the first other one that can write it."""
    if case.target.get("operation") and context.application is None:
        return Declined(
            case.id,
            'where the application is: set `app = "package.module:app"` in [tool.crossfact], or give --app',
        )
    ordered = sorted(every, key=lambda each: (each.name == _MODEL, each.name != case.generator))
    needs = ""
    for generator in ordered:
        if not generator.takes(case):
            continue
        with Attempt() as attempt:
            answer = _parsed(generator.generate(case, context))
        if attempt.failure:
            answer = Declined(case.id, f"a test by hand: {attempt.failure}")
        if isinstance(answer, Draft):
            return answer
        said = f"{needs} (a model was asked: {answer.needs})" if generator.name == _MODEL else ""
        needs = said or needs or answer.needs
    return Declined(case.id, needs or f"a generator for {case.technique} tests")


def _parsed(answer: Draft | Declined) -> Draft | Declined:
    """A draft that is no Python is declined alone, so that it takes no other test of its file down."""
    if isinstance(answer, Draft):
        try:
            ast.parse(answer.source)
        except (SyntaxError, ValueError, RecursionError) as error:
            return Declined(answer.case, f"a test that is Python: what was written is not ({error})")
    return answer
