"""A history as facts: commits, what they touched, and the modules and functions that they changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph.facts import Extract, Fact, Kind, Location, Relation, Tag, Verb, fact_id, reference
from ingest.history.reader import PLACE
from ingest.history.records import Commit, History


def commit_facts(
    history: History,
    modules: Mapping[str, str] | None = None,
    functions: Mapping[str, Sequence[str]] | None = None,
) -> Extract:
    """The facts of a history. `modules` maps paths to the modules that commits touch, `functions` the qualified
    names of functions to the commits that changed them (see `touched_functions`)."""
    relations = []
    for commit in history.commits:
        paths = {change.path for change in commit.changes if not change.deleted}
        names = sorted({modules[path] for path in paths if path in modules}) if modules else []
        relations += [
            Relation(Verb.TOUCHES, _id(commit.hash), fact_id(Tag.CODE, Kind.MODULE, name)) for name in names
        ]
    for name, hashes in sorted((functions or {}).items()):
        relations += [Relation(Verb.TOUCHES, _id(hash_), reference(Tag.CODE, name)) for hash_ in hashes]
    return Extract(
        facts=[_fact(commit) for commit in history.commits],
        relations=relations,
        skipped=list(history.skipped),
    )


def _fact(commit: Commit) -> Fact:
    return Fact(
        tag=Tag.CODE,
        kind=Kind.COMMIT,
        key=commit.hash,
        name=commit.subject or commit.hash[:12],
        # A commit is read from the repository and from no line of any file.
        source=Location(PLACE, 0, 0),
        aspects={
            "author": commit.author,
            "time": commit.time,
            "subject": commit.subject,
            "touches": [[change.path, change.added, change.removed] for change in commit.changes],
        },
    )


def _id(hash_: str) -> str:
    return fact_id(Tag.CODE, Kind.COMMIT, hash_)
