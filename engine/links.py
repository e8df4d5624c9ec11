"""The links of a project's stories and criteria with its code and tests, with what was decided by hand."""

from __future__ import annotations

from crossval.link.traces.decisions import FILE, load
from crossval.link.traces.linking import links
from crossval.link.traces.records import Decisions, Link
from engine.project import Project


def project_links(project: Project) -> dict[str, tuple[Link, ...]]:
    """The links of each story and criterion (by fact id) that has some, the surest first."""
    return links(project.store, decisions_of(project))


def decisions_of(project: Project) -> Decisions:
    """What the project's links file decides. Raises ConfigurationError where it has mistakes."""
    return load(project.root / FILE)
