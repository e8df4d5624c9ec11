"""Looks whether all that crossfact keeps of a project is whole, without changing any of it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from enum import StrEnum
from pathlib import Path

import msgspec

from engine.configuration import Settings
from engine.project import Project
from graph.errors import CrossfactError
from graph.store.soundness import Looked, Trouble, look
from graph.store.store import Store


class State(StrEnum):
    """How one thing stands: behind is what the next run mends by itself."""

    WHOLE = "whole"
    BEHIND = "behind"
    DAMAGED = "damaged"
    ABSENT = "absent"


class Part(msgspec.Struct, frozen=True):
    """One thing that is kept: its name, what there is, and what is wrong with it."""

    name: str
    state: State
    says: str
    troubles: tuple[Trouble, ...] = ()


def examine(root: Path, settings: Settings) -> Iterator[Part]:
    """Every part in turn: store, vector index, checklist, journal, baseline, links, audit trail, leftovers."""
    store = root / settings.store
    looked, part = _store(store)
    yield part
    yield _chroma(store.with_name("chroma"), looked)
    # What is read below needs a project; its facts are not looked at, so that a damaged store is left as it is.
    project = Project(root, (), settings, Store.open(None))
    yield _checklist(project)
    yield _journal(project)
    yield _baseline(project)
    yield _links(project)
    yield _audit(project)
    yield _leftovers(store.parent)


def _store(place: Path) -> tuple[Looked, Part]:
    if not os.path.lexists(place):
        return Looked(), Part("store", State.ABSENT, "nothing was read yet")
    if not place.is_file():
        wrong = Trouble(f"{place}: no plain file", "Remove it, or name another with --store.")
        return Looked(), _part("store", "", (wrong,))
    looked = look(place)
    says = f"revision {looked.revision}, {looked.facts} facts, {looked.relations} relations"
    return looked, _part("store", says, looked.troubles)


def _chroma(folder: Path, looked: Looked) -> Part:
    """The vector index is a cache of the store's vectors: whatever is wrong, it is made anew without embedding."""
    if not folder.is_dir():
        return Part("vector index", State.ABSENT, "none is needed")
    from graph.retrieval.chroma import collection_name, state_of

    wrong = ""
    count = 0
    try:
        uri = f"{(folder / 'chroma.sqlite3').resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=30)) as connection:
            ((said,),) = connection.execute("PRAGMA quick_check(1)")
            rows = connection.execute(
                """SELECT collections.id, str_value FROM collections LEFT JOIN collection_metadata
                   ON collection_id = collections.id AND key = 'state' WHERE name = ?""",
                (collection_name(looked.identity),),
            ).fetchall()
            if said != "ok":
                wrong = said
            elif not rows:
                wrong = "it has nothing of this store"
            elif rows[0][1] != state_of(looked.digests):
                wrong = "it has other vectors than the store"
            ((count,),) = connection.execute("SELECT count(*) FROM embeddings")
            if not wrong and count < len(looked.digests):
                wrong = f"it has {count} of {len(looked.digests)} vectors"
    except sqlite3.Error as error:
        wrong = f"it cannot be read: {error}"
    troubles = (
        (Trouble(f"{folder}: {wrong}", "The next `crossfact ask` makes it anew.", damaged=False),)
        if wrong
        else ()
    )
    return _part("vector index", f"{count} vectors", troubles)


def _checklist(project: Project) -> Part:
    from engine.planning import checklist_file, read_cases

    file = checklist_file(project)
    if not os.path.lexists(file):
        return Part("checklist", State.ABSENT, "no plan was made yet")
    return _loaded("checklist", lambda: f"{len(read_cases(project))} test cases")


def _journal(project: Project) -> Part:
    from engine.journal import journal_file, unreadable

    file = journal_file(project)
    if not os.path.lexists(file):
        return Part("journal", State.ABSENT, "all results are in the checklist")
    lines, cut = unreadable(file)
    troubles = [
        Trouble(
            f"{file}: {lines} results are not in the checklist yet",
            "`crossfact run` goes on with what was cut short.",
            damaged=False,
        )
    ]
    if cut:
        told = f"{file}: {cut} lines cannot be read, as after a kill"
        troubles.append(Trouble(told, "Their tests are run again.", damaged=False))
    return _part("journal", "", tuple(troubles))


def _baseline(project: Project) -> Part:
    from crossval.baseline import load
    from crossval.report.sections import plural

    file = project.root / project.settings.baseline
    if not os.path.lexists(file):
        return Part("baseline", State.ABSENT, "no finding is accepted")
    return _loaded("baseline", lambda: plural(len(load(file).entries), "accepted finding"))


def _links(project: Project) -> Part:
    from crossval.link.traces.records import FILE
    from engine.links import decisions_of

    if not os.path.lexists(project.root / FILE):
        return Part("links", State.ABSENT, "none was decided by hand")

    def said() -> str:
        decisions = decisions_of(project)
        return f"{len(decisions.accepted)} accepted, {len(decisions.rejected)} rejected"

    return _loaded("links", said)


def _audit(project: Project) -> Part:
    from engine.audit import read_trail, trail_file

    file = trail_file(project)
    if not os.path.lexists(file):
        return Part("audit trail", State.ABSENT, "nothing was decided yet")
    try:
        trail = read_trail(project)
    except CrossfactError as error:
        return _part("audit trail", "", (Trouble(str(error), error.remedy),))
    remedy = "Compare it with a copy: who changed a line of it changed what was decided."
    troubles = [Trouble(f"{file}: {words}", remedy) for words in trail.broken]
    troubles += [
        Trouble(f"{file}: line {line} was cut short, as by a kill", "Nothing is to be done.", damaged=False)
        for line in trail.cut
    ]
    return _part("audit trail", f"{len(trail.entries)} entries", tuple(troubles))


def _leftovers(folder: Path) -> Part:
    """Files that a kill left behind, and stores that were put aside."""
    if not folder.is_dir():
        return Part("leftovers", State.ABSENT, "none")
    names = sorted(each.name for each in folder.iterdir())
    aside = [name for name in names if ".damaged-" in name]
    cut = [name for name in names if name.startswith(".") and name.endswith(".tmp")]
    troubles = [
        Trouble(f"{folder / name}: a store that was put aside", "Remove it.", damaged=False) for name in aside
    ]
    troubles += [
        Trouble(f"{folder / name}: left behind by a run that was killed", "Remove it.", damaged=False)
        for name in cut
    ]
    return _part("leftovers", "none", tuple(troubles))


def _loaded(name: str, said: Callable[[], str]) -> Part:
    try:
        return Part(name, State.WHOLE, said())
    except CrossfactError as error:
        return _part(name, "", (Trouble(str(error), error.remedy),))


def _part(name: str, says: str, troubles: tuple[Trouble, ...]) -> Part:
    if any(trouble.damaged for trouble in troubles):
        return Part(name, State.DAMAGED, says, troubles)
    return Part(name, State.BEHIND if troubles else State.WHOLE, says, troubles)
