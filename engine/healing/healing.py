"""Heals the tests of a project: what is red is looked at, and only what is stale is changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from engine.healing.chance import by_chance, flaky
from engine.healing.choosing import Chosen, chosen
from engine.healing.learning import Learning
from engine.healing.made import Heals
from engine.healing.memory import Memory
from engine.healing.notes import noted, unlearn, write_down
from engine.healing.offering import Limits, Offers
from engine.healing.past import Past
from engine.healing.proposers import healers_of
from engine.healing.proven import backed
from engine.healing.queue import Queue
from engine.healing.records import Healed, Treatment
from engine.healing.recovering import folder_of, reader, recovered
from engine.healing.showing import Showing
from engine.healing.treating import treat
from engine.healing.trials import Trials, is_red
from engine.healing.ward import Ward
from engine.journal import applied
from engine.planning import checklist_file, checklist_lock
from engine.project import Project, Tell
from engine.run import findings_of
from engine.running.jobs import python_of
from engine.running.runner import PytestValidator
from engine.running.sandboxes import sandbox_for
from healer.analysing.analysing import analyse
from healer.analysing.clusters import clustered
from healer.analysis import Analysis
from healer.editing.methods import Thresholds
from healer.healer import Healer
from planner.cases import Case, Status
from planner.checklist import load
from planner.validator import Outcome, Validator, Verdict


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How a run of healing goes: which tests, compared with which revision, by what means.

    `dry` changes nothing. `hint` is what a person said in review.
    """

    names: tuple[str, ...] = ()
    since: str | None = None
    dry: bool = False
    seconds: float = 30.0
    parallel: int = 1
    sandbox: str = ""
    hint: str = ""


def heal(
    project: Project,
    options: Options,
    *,
    tell: Tell,
    healers: Sequence[Healer] | None = None,
    validator: Validator | None = None,
    on_start: Callable[[str], None] = lambda node: None,
) -> Healed:
    """Run the tests that are asked for, and heal those whose code moved under them, by these healers or the project's.

    Raises UsageError for names and revisions that do not exist, ConfigurationError where the checklist has mistakes. A
    kill at any moment leaves each file as it was or as an attempt made it; the next run puts the former back.
    """
    with checklist_lock(project):
        recovered(project, tell)
        findings = findings_of(project, tell)
        checklist = load(checklist_file(project))
        cases = applied(project, checklist.cases)
        wanted = chosen(project.root, cases, options.names)
        if not wanted.nodes:
            return Healed(dry=options.dry)
        validator, words = (validator, "") if validator else _validator(project, options, on_start)
        trials = Trials(project, validator, seconds=options.seconds, parallel=options.parallel)
        before = _there(trials.learn(wanted.nodes), wanted, tell)
        read = reader(project.root)
        red = _unexpected(before, cases)
        right = backed(project, red, wanted.cases.values())
        limits = _limits(project)
        with Past(project, since=options.since, read=read, tell=tell) as past:
            learning = Learning(project, tell)
            queue = Queue(project)
            heals = Heals(project)
            undone = heals.taken_back(red)
            asked = healers_of(project, tell, learning.knowledge) if healers is None else healers
            kept = learning.kept().union(key for each in undone for key in each.attempts)
            offers = Offers(project.root, asked, limits, queue.rejected(), kept, learning.ordered)
            ward = Ward(
                project,
                trials,
                past,
                offers,
                read=read,
                folder=folder_of(project),
                cases=wanted.cases,
                findings=findings,
                limits=limits,
                dry=options.dry,
                hint=options.hint,
                thresholds=_thresholds(project),
                backed=right,
                showing=Showing(project, validator, options.seconds),
            )
            treatments = _treated(ward, [analyse(each, read) for each in red.values()])
        green = [node for node, each in trials.known.items() if each.verdict is Verdict.PASSED]
        Memory(project).keep(green)
        if not options.dry:
            treatments = noted(project, treatments, queue, green)
            unlearn(project, learning, queue, offers.taken_back, heals, undone)
            learning.learn(treatments)
            write_down(project, checklist, cases, treatments, before, read=read, level=trials.level)
    return Healed(
        treatments=tuple(treatments), before=before, level=validator.level, sandbox=words, dry=options.dry
    )


def _unexpected(before: Mapping[str, Outcome], cases: Sequence[Case]) -> dict[str, Outcome]:
    """What is red, without the tests that wait for code to be written."""
    waiting = {case.node for case in cases if case.status is Status.RED_EXPECTED}
    return {
        node: each for node, each in before.items() if is_red(each) and node.partition("[")[0] not in waiting
    }


def _treated(ward: Ward, analyses: Sequence[Analysis]) -> list[Treatment]:
    """What became of the red tests, in groups of one cause each; those first that are red by chance.

    A test that a spec backs shares no group with others: who is wrong is known of it.
    """
    parts = [
        [each for each in analyses if each.node in ward.backed],
        [each for each in analyses if each.node not in ward.backed],
    ]
    groups = [ward.group(cluster) for part in parts for cluster in clustered(part)]
    chance = by_chance([each for each in groups if not each.is_healable], ward.trials)
    steady = (
        msgspec.structs.replace(
            group, analyses=tuple(each for each in group.analyses if each.node not in chance)
        )
        for group in groups
    )
    return [
        *(flaky(each) for each in chance.values()),
        *treat(ward, [each for each in steady if each.analyses]),
    ]


def _limits(project: Project) -> Limits:
    settings = project.settings
    return Limits(settings.heal_attempts, settings.heal_budget, settings.heal_confidence)


def _thresholds(project: Project) -> Thresholds:
    return Thresholds(project.settings.heal_update_lines, project.settings.heal_patch_lines)


def _there(outcomes: Mapping[str, Outcome], wanted: Chosen, tell: Tell) -> dict[str, Outcome]:
    """The outcomes without those of names behind which there is no test; a case of the checklist is not forgotten."""
    absent = [
        node for node, each in outcomes.items() if each.verdict is Verdict.ABSENT and node not in wanted.cases
    ]
    for node in absent:
        if "::" in node:
            tell(f"crossfact: {node}: {outcomes[node].message}")
    return {node: each for node, each in outcomes.items() if node not in absent}


def _validator(project: Project, options: Options, on_start: Callable[[str], None]) -> tuple[Validator, str]:
    box = sandbox_for(project, python_of(project), options.sandbox)
    return PytestValidator(box, options.parallel, on_start), box.words
