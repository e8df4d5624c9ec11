"""What changed between two revisions of the store or of git: facts, and the findings that came or went with them."""

from __future__ import annotations

import contextlib
import re
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from crossval.findings import Finding
from crossval.link.traces.records import Decisions
from engine.check import validate
from engine.links import decisions_of
from engine.project import Project, Tell, refresh
from graph.changes import Changes, changes
from graph.errors import ConfigurationError, UsageError
from graph.store.records import Notes
from graph.store.store import Store

_STORE = re.compile(r"store:(\d+)")
_RANGE = re.compile(r"(?P<older>[^.](?:(?!\.\.).)*)?\.\.(?P<newer>(?!\.)(?:(?!\.\.).)+)?")
NOW = "now"


class Difference(msgspec.Struct, frozen=True):
    """What happened from `older` to `newer`: to the facts, and to the findings; those that stayed are counted only.

    `with_defects` says whether mistakes that readers saw in the sources themselves count among the findings: revisions
    of the store do not keep them.
    """

    older: str
    newer: str
    facts: Changes
    came: tuple[Finding, ...]
    went: tuple[Finding, ...]
    stayed: int
    with_defects: bool


class _Side(msgspec.Struct, frozen=True):
    """One of the two: the revision that holds its facts, what its readers said, what they could not read, and which
    links people had decided."""

    revision: int
    notes: Notes
    unread: dict[str, str]
    decisions: Decisions


def compare(project: Project, older: str | None, newer: str | None, *, tell: Tell) -> Difference:
    """Compare two revisions: `store:12` is one of the store, `now` the files as they are, anything else one of git.

    Without names the last two of the store; with one, that and the files as they are now; `A..B` are two. Raises
    UsageError for a revision that does not exist.
    """
    refreshed = refresh(project, tell=tell)
    store = project.store
    if older is not None and newer is None and (both := _RANGE.fullmatch(older)):
        # As git has it: an end that is left out is the last commit.
        older, newer = both["older"] or "HEAD", both["newer"] or "HEAD"
    if older is None:
        older, newer = f"store:{max(store.revision - 1, store.oldest)}", f"store:{store.revision}"
    newer = newer or NOW
    now = _Side(store.revision, store.notes(), refreshed.unread, decisions_of(project))
    with _copied(store) as copy:
        sides = [_side(project, name, copy, now, tell) for name in (older, newer)]
        whole = not any(map(_STORE.fullmatch, (older, newer)))
        before, after = (_by_fingerprint(_findings(project, copy, side, whole)) for side in sides)
        found = changes(copy, sides[0].revision, sides[1].revision)
    return Difference(
        older=older,
        newer=newer,
        facts=found,
        came=tuple(each for print_, each in after.items() if print_ not in before),
        went=tuple(each for print_, each in before.items() if print_ not in after),
        stayed=len(before.keys() & after.keys()),
        with_defects=whole,
    )


def findings_at(project: Project, revision: str, *, tell: Tell) -> list[Finding]:
    """All findings of the project as it was in a revision of git, in the order of reports.

    The store must be up to date; it is left as it is. Raises UsageError for a revision that does not exist.
    """
    with _copied(project.store) as copy:
        side = _read_from_git(project, revision, copy, tell)
        return _findings(project, copy, side, whole=True)


@contextlib.contextmanager
def beside(project: Project, *, tell: Tell) -> Iterator[tuple[Store, Callable[[str], int]]]:
    """A copy of the project's facts, and a function that gives the number of a revision in it, named as in `compare`.

    Revisions of git are read into the copy, so that the facts of several can be looked at beside today's. The store
    must be up to date; it is left as it is. The function raises UsageError for a revision that does not exist.
    """
    with _copied(project.store) as copy:
        now = _Side(project.store.revision, Notes(), {}, Decisions())
        yield copy, lambda name: _side(project, name, copy, now, tell).revision


@contextlib.contextmanager
def _copied(store: Store) -> Iterator[Store]:
    """A copy of the store in a temporary folder, in which revisions of git can be read beside today's."""
    with tempfile.TemporaryDirectory(prefix="crossfact-") as folder:
        place = Path(folder) / "facts.db"
        with (
            contextlib.closing(store.dialect.reader()) as reader,
            contextlib.closing(sqlite3.connect(place)) as target,
        ):
            reader.backup(target)
        copy = Store.open(place)
        try:
            yield copy
        finally:
            copy.close()


def _side(project: Project, name: str, copy: Store, now: _Side, tell: Tell) -> _Side:
    if name == NOW:
        return now
    if named := _STORE.fullmatch(name):
        revision = int(named[1])
        if not copy.oldest <= revision <= project.store.revision or revision == 0:
            raise UsageError(
                f"the store has no revision {revision}",
                f"It keeps {copy.oldest} to {project.store.revision}; name others as git does.",
            )
        return _Side(revision, now.notes, now.unread, now.decisions)
    return _read_from_git(project, name, copy, tell)


def _read_from_git(project: Project, name: str, copy: Store, tell: Tell) -> _Side:
    from ingest.history.command import GitError
    from ingest.history.repository import find_repository
    from ingest.history.tree import commit_named, write_tree

    repository = find_repository(project.root)
    if repository is None:
        raise UsageError(
            f"{project.root} lies in no git repository",
            f"Compare revisions of the store: store:{copy.oldest}, …",
        )
    with tempfile.TemporaryDirectory(prefix="crossfact-") as folder:
        root = Path(folder).resolve()
        try:
            commit = commit_named(repository, name)
            write_tree(repository, commit, root, limit=project.settings.max_file_size)
        except GitError as error:
            remedy = "Name a commit, a branch or a tag, or store:N."
            if repository.is_shallow:
                remedy = (
                    f"This clone is shallow: fetch the revision first (`git fetch --unshallow`). {remedy}"
                )
            raise UsageError(f"{name}: {error}", remedy) from error
        _make_named_places(project, root)
        settings = msgspec.structs.replace(project.settings, history=False, store="/nowhere")
        then = Project(root, (), settings, copy)
        refreshed = refresh(then, tell=tell)
        decisions = Decisions()
        with contextlib.suppress(ConfigurationError):  # mistakes of the past are nobody's to mend
            decisions = decisions_of(then)
    return _Side(refreshed.revision, copy.notes(), refreshed.unread, decisions)


def _make_named_places(project: Project, root: Path) -> None:
    """Make empty folders for what the settings name and the revision has not, so that it counts as empty."""
    settings = project.settings
    for name in (*settings.spec, *settings.code, *settings.stories, *settings.stubs, *settings.tests):
        place = root / name
        if place.is_relative_to(root) and not any(sign in name for sign in "*?[") and not place.exists():
            place.mkdir(parents=True)


def _findings(project: Project, copy: Store, side: _Side, whole: bool) -> list[Finding]:
    """The findings of one side, in the order of reports."""
    notes = side.notes if whole else msgspec.structs.replace(side.notes, defects=[])
    found = validate(project.settings, copy.at(side.revision), notes, side.unread, side.decisions).findings
    return sorted(found, key=lambda each: each.order)


def _by_fingerprint(findings: list[Finding]) -> dict[str, Finding]:
    return {each.fingerprint: each for each in findings}
