"""A check of what a change adds: today's findings held against those of an earlier revision of git."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import msgspec

from crossval.baseline import accept, split
from crossval.findings import Finding
from crossval.report.report import Since, only_added
from engine.check import Asked, Checked, check, selected
from engine.comparing import program
from engine.diff import findings_at
from engine.project import Project, Tell
from graph.digests import sha256
from graph.errors import StoreError, UsageError
from graph.packing import unpacking

_NAME = "since"
_encode = msgspec.msgpack.Encoder().encode
_decode = unpacking(list[Finding])


def check_since(
    project: Project, revision: str, *, tell: Tell, progress: Callable[[int, int], None] | None = None
) -> Checked:
    """A check that reports, and fails for, only what came since a revision; what went is counted.

    It is held against the commit from which the work tree and that revision went apart, so that what others did to the
    revision meanwhile counts for nothing. Raises UsageError for a revision that git does not know.
    """
    commit = _common_commit(project, revision)
    checked = check(project, tell=tell, progress=progress)
    asked = Asked(project.narrowed)
    before = accept(each for each in _findings_at(project, commit, tell) if asked.concerns(each))
    today = split(checked.findings, before)
    added = split(checked.report.findings, before).new
    since = Since(revision, removed=len(today.stale), stayed=len(today.known))
    code = selected(project.settings, project.store).exit_code(added)
    if checked.faults:
        code = checked.exit_code
    return msgspec.structs.replace(checked, report=only_added(checked.report, added, since), exit_code=code)


def _common_commit(project: Project, revision: str) -> str:
    from ingest.history.command import GitError
    from ingest.history.repository import find_repository
    from ingest.history.tree import commit_named, common_ancestor

    repository = find_repository(project.root)
    if repository is None:
        raise UsageError(f"{project.root} lies in no git repository", "Check without --since.")
    try:
        commit = commit_named(repository, revision)
        return common_ancestor(repository, commit)
    except GitError as error:
        remedy = "Name a commit, a branch or a tag."
        if repository.is_shallow:
            remedy = "This clone is shallow: fetch the revision and the history between (`fetch-depth: 0` on GitHub)."
        raise UsageError(f"--since {revision}: {error}", remedy) from error


def _findings_at(project: Project, commit: str, tell: Tell) -> list[Finding]:
    """The findings of a commit, which are compared once for each commit and each setting."""
    key = _key(project, commit)
    kept = project.store.kept(_NAME, key) if key else None
    if kept is not None:
        return _decode(kept)
    found = findings_at(project, commit, tell=tell)
    if key:
        # A memory is a convenience: where it cannot be written, the next run compares again.
        with suppress(StoreError, TypeError, ValueError, OverflowError):
            project.store.keep({_NAME: (key, _encode(found))})
    return found


def _key(project: Project, commit: str) -> str:
    """A digest of all that a commit's findings depend on; empty where it cannot be told."""
    known = program()
    settings = msgspec.structs.replace(project.settings, llm_key="")
    return sha256(_encode((known, commit, settings))).hexdigest() if known else ""
