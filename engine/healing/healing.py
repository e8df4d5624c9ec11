"""Heals the tests of a project: what is red is looked at, and only what is stale is changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

import msgspec

from engine.audit import record
from engine.healing.chance import by_chance, flaky
from engine.healing.choosing import Chosen, chosen
from engine.healing.gate import looks_like_test
from engine.healing.learning import Learning
from engine.healing.made import Heals, Made
from engine.healing.memory import Memory
from engine.healing.offering import Limits, Offers
from engine.healing.past import Past
from engine.healing.proposers import healers_of
from engine.healing.proven import backed
from engine.healing.queue import Queue
from engine.healing.records import Healed, Result, Treatment
from engine.healing.showing import Showing
from engine.healing.standing import files_of, standing
from engine.healing.treating import treat
from engine.healing.trials import Trials, is_red
from engine.healing.ward import Ward
from engine.journal import Journal, applied
from engine.planning import checklist_file, checklist_lock
from engine.project import Project, Tell
from engine.run import findings_of
from engine.running.dependencies import Dependencies
from engine.running.jobs import python_of
from engine.running.runner import PytestValidator
from engine.running.sandboxes import sandbox_for
from healer.analysing.analysing import analyse
from healer.analysing.clusters import clustered
from healer.editing.attempts import recover
from healer.editing.exchanging import Refused
from healer.editing.files import read as read_file
from healer.editing.methods import Thresholds
from healer.editing.texts import decoded
from healer.healer import Healer
from ingest.text import read_text
from planner.cases import Case, Status
from planner.checklist import load, save
from planner.validator import Outcome, Validator, Verdict

_ACTIONS = {
    Result.HEALED: "heal",
    Result.CODE_WRONG: "code-wrong",
    Result.FLAKY: "flaky",
    Result.ENVIRONMENT: "environment",
    Result.NEEDS_HUMAN: "review",
}


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
        file = checklist_file(project)
        checklist = load(file)
        cases = applied(project, checklist.cases)
        wanted = chosen(project.root, cases, options.names)
        if not wanted.nodes:
            return Healed(dry=options.dry)
        validator, words = (validator, "") if validator else _validator(project, options, on_start)
        trials = Trials(project, validator, seconds=options.seconds, parallel=options.parallel)
        before = _there(trials.learn(wanted.nodes), wanted, tell)
        memory = Memory(project)
        queue = Queue(project)
        read = reader(project.root)
        treatments: list[Treatment] = []
        waiting = {case.node for case in cases if case.status is Status.RED_EXPECTED}
        red = {
            node: each
            for node, each in before.items()
            if is_red(each) and node.partition("[")[0] not in waiting
        }
        right = backed(project, red, wanted.cases.values())
        analyses = [analyse(each, read) for each in red.values()]
        parts = [
            [each for each in analyses if each.node in right],
            [each for each in analyses if each.node not in right],
        ]
        settings = project.settings
        limits = Limits(settings.heal_attempts, settings.heal_budget, settings.heal_confidence)
        with Past(project, since=options.since, read=read, tell=tell) as past:
            learning = Learning(project, tell)
            asked = healers_of(project, tell, learning.knowledge) if healers is None else healers
            heals = Heals(project)
            undone = heals.taken_back(red)
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
                thresholds=Thresholds(settings.heal_update_lines, settings.heal_patch_lines),
                backed=right,
                showing=Showing(project, validator, options.seconds),
            )
            groups = [ward.group(cluster) for part in parts for cluster in clustered(part)]
            chance = by_chance([each for each in groups if not each.is_healable], trials)
            treatments += [flaky(each) for each in chance.values()]
            steady = (
                msgspec.structs.replace(
                    group, analyses=tuple(each for each in group.analyses if each.node not in chance)
                )
                for group in groups
            )
            treatments += treat(ward, [each for each in steady if each.analyses])
        green = [node for node, each in trials.known.items() if each.verdict is Verdict.PASSED]
        memory.keep(green)
        if not options.dry:
            treatments = _kept(project, treatments, queue, green)
            _unlearn(project, learning, queue, offers.taken_back, heals, undone)
            learning.learn(treatments)
            changed = standing(
                cases,
                treatments,
                before,
                revision=project.store.revision,
                read={path: read(path) or "" for path in files_of(treatments)},
                time=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            )
            if changed:
                save(file, checklist, _with_dependencies(project, cases, changed, trials.level))
                Journal(project).end()
    return Healed(
        treatments=tuple(treatments), before=before, level=validator.level, sandbox=words, dry=options.dry
    )


def folder_of(project: Project) -> Path:
    """Where attempts are journaled."""
    return (project.root / project.settings.store).parent / "healing"


def recovered(project: Project, tell: Tell) -> None:
    """Put back what an attempt that was cut short had changed, and say so; call it under the checklist's lock."""
    found = recover(project.root, folder_of(project))
    for path in found.restored:
        tell(f"crossfact: {path}: an attempt to heal it was cut short; it is as it was before")
    for path in found.foreign:
        tell(
            f"crossfact: {path}: an attempt to heal it was cut short; somebody changed it since, so it is left"
        )
    if found.restored or found.foreign:
        record(project, "restore", "rule", files=list(found.restored), left=list(found.foreign))


def reader(root: Path) -> Callable[[str], str | None]:
    """Gives the text of a file of a project; None where there is none that can be read."""

    def read(path: str) -> str | None:
        try:
            if path.endswith(".py") and looks_like_test(path):
                content = read_file(root, path)
                return None if content is None else decoded(content).words
            text = read_text(root, path)
        except (Refused, OSError, ValueError):
            return None
        return text if isinstance(text, str) else None

    return read


def _there(outcomes: Mapping[str, Outcome], wanted: Chosen, tell: Tell) -> dict[str, Outcome]:
    """The outcomes without those of names behind which there is no test; a case of the checklist is not forgotten."""
    absent = [
        node for node, each in outcomes.items() if each.verdict is Verdict.ABSENT and node not in wanted.cases
    ]
    for node in absent:
        if "::" in node:
            tell(f"crossfact: {node}: {outcomes[node].message}")
    return {node: each for node, each in outcomes.items() if node not in absent}


def _unlearn(
    project: Project,
    learning: Learning,
    queue: Queue,
    offered: Collection[str],
    heals: Heals,
    undone: Sequence[Made],
) -> None:
    """Take note of heals that a person took back: they failed, and are not made again.

    `offered` are the keys of those that were offered again, `undone` the heals whose files read as before.
    """
    attempts = {*offered, *(key for each in undone for key in each.attempts)}
    if not attempts:
        return
    learning.unlearn(attempts)
    queue.turn_down(attempts)
    told = [each for each in heals.all() if attempts.issuperset(each.attempts)]
    nodes = dict.fromkeys(node for each in told for node in each.nodes)
    record(
        project,
        "revert",
        "human",
        attempts=sorted(attempts),
        nodes=list(nodes),
        undo=[each.id for each in told],
    )
    for each in told:
        heals.remove(each)


def _validator(project: Project, options: Options, on_start: Callable[[str], None]) -> tuple[Validator, str]:
    box = sandbox_for(project, python_of(project), options.sandbox)
    return PytestValidator(box, options.parallel, on_start), box.words


def _kept(
    project: Project, treatments: Sequence[Treatment], queue: Queue, green: Sequence[str]
) -> list[Treatment]:
    """The treatments, those that a person has to decide with their entry in the queue; all in the audit trail."""
    kept = []
    for each in treatments:
        if each.result is Result.NEEDS_HUMAN:
            each = msgspec.structs.replace(each, review=queue.add(each).id)
        kept.append(each)
        by = next((it.healer for it in reversed(each.proposals) if it.outcome.startswith("green")), "rule")
        record(
            project,
            _ACTIONS[each.result],
            by,
            nodes=list(each.nodes),
            ruling=str(each.judgement.ruling),
            reason=each.judgement.reason,
            cites=list(each.judgement.evidence),
            since=each.since,
            tried=[f"{it.healer}: {it.outcome}" for it in each.proposals],
            diff=each.diff,
            review=each.review,
            undo=each.undo,
        )
    queue.settle(kept, green)
    return kept


def _with_dependencies(
    project: Project, cases: Sequence[Case], changed: dict[str, Case], level: str
) -> list[Case]:
    """All cases; those that changed know what they ran with."""
    dependencies = Dependencies(project.root, project.store)
    return [
        msgspec.structs.replace(changed[case.id], ran_with=dependencies.of(changed[case.id]), sandbox=level)
        if case.id in changed
        else case
        for case in cases
    ]
