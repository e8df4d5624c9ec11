"""Takes a heal back for a person who says that it was wrong."""

from __future__ import annotations

import time

import msgspec

from engine.audit import record
from engine.healing.learning import Learning
from engine.healing.made import Heals, Made
from engine.healing.queue import Queue
from engine.healing.recovering import folder_of, recovered
from engine.journal import Journal, applied
from engine.planning import checklist_file, checklist_lock
from engine.project import Project, Tell
from graph.errors import UsageError
from healer.editing.attempts import Attempt
from healer.editing.exchanging import Refused
from planner.cases import Case, Status
from planner.checklist import load, save

_WORDS = "A person took the heal back."


def undo(project: Project, identifier: str, *, tell: Tell) -> Made:
    """Take a heal back: its files are as they were, it counts as failed, and it is never made again.

    What was edited elsewhere in these files since stays. Raises UsageError where there is no such heal, or where a file
    was edited since at the very places that were healed; then nothing is changed.
    """
    with checklist_lock(project):
        recovered(project, tell)
        heals = Heals(project)
        made = heals.named(identifier)
        attempt = Attempt(project.root, folder_of(project))
        try:
            attempt.change(heals.undone(made))
        except (Refused, OSError) as error:
            raise UsageError(
                f"{made.id}: cannot be taken back: {error}",
                _later(heals, made) or "Look at the diff with `crossfact review --healed`, and edit by hand.",
            ) from error
        attempt.keep()
        record(
            project,
            "undo",
            "human",
            undo=made.id,
            nodes=list(made.nodes),
            healers=list(made.healers),
            attempts=list(made.attempts),
            files=[each.path for each in made.files],
        )
        Learning(project, tell).unlearn(made.attempts)
        Queue(project).turn_down(made.attempts)
        _put_back(project, made)
        heals.remove(made)
    return made


def _later(heals: Heals, made: Made) -> str:
    """What to do where a later heal of the same files stands in the way."""
    paths = {each.path for each in made.files}
    later = []
    for other in heals.all():
        if other.id == made.id:
            break
        if paths.intersection(each.path for each in other.files):
            later.append(other.id)
    return f"Take back what was healed there since first: {', '.join(later)}." if later else ""


def _put_back(project: Project, made: Made) -> None:
    """The cases of the checklist fail again, also those whose test the heal had removed."""
    file = checklist_file(project)
    checklist = load(file)
    cases = applied(project, checklist.cases)
    if any(case.id in made.cases for case in cases):
        save(file, checklist, [_failed(case, made) if case.id in made.cases else case for case in cases])
        Journal(project).end()


def _failed(case: Case, made: Made) -> Case:
    history = {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "result": "UNDONE",
        "healer": ", ".join(made.healers),
        "reason": "a person took it back",
    }
    return msgspec.structs.replace(
        case,
        status=Status.FAILED,
        node=case.node or made.cases[case.id],
        analysis=_WORDS,
        healing_history=(*case.healing_history, history),
    )
