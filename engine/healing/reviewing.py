"""What a person decides about tests that wait: an edit is approved, turned down, tried with a hint, or written."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import msgspec

from engine.audit import record
from engine.healing.gate import Passed, looks_like_test, passed
from engine.healing.holding import harm
from engine.healing.made import Heals
from engine.healing.memory import Memory
from engine.healing.neighbours import sharing
from engine.healing.queue import Pending, Queue
from engine.healing.records import Proposal
from engine.healing.recovering import folder_of, reader, recovered
from engine.healing.trials import Trials, covers, is_red
from engine.journal import Journal, applied
from engine.planning import checklist_file, checklist_lock
from engine.project import Project, Tell, refresh
from engine.running.dependencies import Dependencies
from graph.errors import UsageError
from healer.editing.attempts import Attempt
from healer.editing.exchanging import Refused
from healer.editing.files import digest, read
from healer.guarding.backing import Backing
from planner.cases import Case, Status
from planner.checklist import load, save
from planner.validator import Outcome, Validator, Verdict

_AGAIN = "Look at the entry, or run `crossfact heal` again."


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a person's decision: whether the files are changed now, and why not, with how the tests stand.

    `undo` is the id by which the change can be taken back.
    """

    entry: Pending
    kept: bool
    words: str
    outcomes: dict[str, Outcome] = {}
    undo: str = ""


def approve(
    project: Project,
    identifier: str,
    *,
    number: int = 1,
    proposal: Proposal | None = None,
    validator: Validator,
    seconds: float = 30.0,
    tell: Tell,
) -> Decision:
    """Make a proposal of an entry, or the one given, which a person wrote; it stays where its tests are green with it.

    A person stands for the values that the tests expect then; that they check less is refused all the same. Raises
    UsageError where there is no such entry or proposal, or where a file was changed since it was made.
    """
    queue = Queue(project)
    with checklist_lock(project):
        recovered(project, tell)
        refresh(project, tell=tell)
        entry = queue.entry(identifier)
        chosen = proposal or _proposal(entry, number)
        trials = Trials(project, validator, seconds=seconds, parallel=1)
        cases = _cases(project, entry)
        try:
            _refuse_changed(project, chosen)
            ready = _ready(project, chosen)
            outcomes, why, undo = _made(project, trials, chosen, ready, entry, cases)
        except Refused as error:
            outcomes, why, undo = {}, str(error), ""
        record(
            project,
            "approve" if not why else "approve-failed",
            "human",
            review=entry.id,
            nodes=list(entry.nodes),
            healer=chosen.healer,
            cites=[each for payload in chosen.payloads for each in payload.cites],
            reason=why or "; ".join(each.reasoning for each in chosen.payloads),
            diff=chosen.diff,
            undo=undo,
        )
        if why:
            return Decision(entry=entry, kept=False, words=why, outcomes=outcomes)
        queue.remove(entry)
        green = [node for node, each in outcomes.items() if each.verdict is Verdict.PASSED]
        Memory(project).keep(green)
        retired = {name for payload in chosen.payloads for name in payload.retire}
        _set(project, entry, lambda case: _approved(project, case, chosen, retired))
    return Decision(entry=entry, kept=True, words="kept", outcomes=outcomes, undo=undo)


def reject(project: Project, identifier: str, *, tell: Tell) -> Decision:
    """Turn an entry down: its proposals are never made nor offered again. Raises UsageError where there is none."""
    queue = Queue(project)
    with checklist_lock(project):
        recovered(project, tell)
        entry = queue.entry(identifier)
        queue.reject(entry)
        record(
            project,
            "reject",
            "human",
            review=entry.id,
            nodes=list(entry.nodes),
            healers=[each.healer for each in entry.proposals],
        )
        _set(
            project,
            entry,
            lambda case: msgspec.structs.replace(
                case, status=Status.FAILED, analysis="A person turned down what was proposed to heal it."
            ),
        )
    return Decision(entry=entry, kept=False, words="turned down")


def _proposal(entry: Pending, number: int) -> Proposal:
    if not 1 <= number <= len(entry.proposals):
        raise UsageError(
            f"{entry.id}: there is no proposal {number}; it has {len(entry.proposals)}",
            "Write one with --edit, or mend the code or the test by hand.",
        )
    return entry.proposals[number - 1]


def _refuse_changed(project: Project, proposal: Proposal) -> None:
    for path, before in proposal.before.items():
        content = read(project.root, path)
        if content is None or digest(content) != before:
            raise UsageError(f"{path} was changed since this was proposed", _AGAIN)


def _ready(project: Project, proposal: Proposal) -> Passed:
    retired = tuple(name for payload in proposal.payloads for name in payload.retire)
    return passed(
        project.root,
        proposal.payloads,
        Backing(retired=retired, drops=True, adds=True, decided=True),
        is_test=looks_like_test,
    )


def _made(
    project: Project,
    trials: Trials,
    proposal: Proposal,
    ready: Passed,
    entry: Pending,
    cases: Sequence[Case],
) -> tuple[dict[str, Outcome], str, str]:
    """How the tests stand with the proposal in place, why it was taken back, empty where it stays, and its id then."""
    look = reader(project.root)
    attempt = Attempt(project.root, folder_of(project))
    trials.learn_files(sharing(project.root, ready.files, look))
    try:
        attempt.change({path: file.content for path, file in ready.files.items()})
        retired = {
            f"{payload.file_to_patch}::{name.replace('.', '::')}"
            for payload in proposal.payloads
            for name in payload.retire
        }
        nodes = [node for node in entry.nodes if not any(covers(each, node) for each in retired)]
        outcomes = trials.run(nodes)
        red = [each for each in outcomes.values() if is_red(each)]
        why = ""
        if red:
            why = f"still red: {red[0].node}: {red[0].exception}: {red[0].message}".partition("\n")[0]
        elif nodes and not outcomes:
            why = "nothing ran"
        else:
            gone = dict.fromkeys(node for node in trials.known if any(covers(each, node) for each in retired))
            settled = {**outcomes, **{node: trials.known[node] for node in gone}}
            why = harm(project, trials, look, attempt.paths, cases if not retired else (), settled)
    except BaseException:
        attempt.restore()
        raise
    if why:
        attempt.restore()
        return outcomes, why, ""
    return outcomes, "", Heals(project).keep(attempt, [proposal], entry.nodes, cases)


def _cases(project: Project, entry: Pending) -> list[Case]:
    known = applied(project, load(checklist_file(project)).cases)
    return [case for case in known if case.node and any(covers(case.node, node) for node in entry.nodes)]


def _set(project: Project, entry: Pending, changed: Callable[[Case], Case]) -> None:
    """Change the cases of an entry in the checklist, where there is one."""
    file = checklist_file(project)
    checklist = load(file)
    cases = applied(project, checklist.cases)
    mine = {
        case.id
        for case in cases
        if case.node
        and any(covers(case.node, node) or case.node.startswith(f"{node}::") for node in entry.nodes)
    }
    if mine:
        save(file, checklist, [changed(case) if case.id in mine else case for case in cases])
        Journal(project).end()


def _approved(project: Project, case: Case, proposal: Proposal, retired: set[str]) -> Case:
    path, _, name = case.node.partition("::")
    names = name.partition("[")[0].split("::")
    gone = any(".".join(names[:number]) in retired for number in range(1, len(names) + 1)) and any(
        each.file_to_patch == path for each in proposal.payloads
    )
    history = {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "result": "HEALED" if not gone else "OBSOLETE",
        "healer": proposal.healer,
        "methods": list(proposal.methods),
        "reason": "a person approved of it",
    }
    case = msgspec.structs.replace(
        case,
        status=Status.OBSOLETE if gone else Status.HEALED,
        node="" if gone else case.node,
        last_passed_revision=case.last_passed_revision if gone else project.store.revision,
        last_error="",
        needs="",
        analysis="A person approved of the edit.",
        healing_history=(*case.healing_history, history),
    )
    if gone:
        return case
    return msgspec.structs.replace(case, ran_with=Dependencies(project.root, project.store).of(case))
