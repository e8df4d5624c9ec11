"""The links of a project's stories and criteria with its code and tests, with what was decided by hand."""

from __future__ import annotations

import os

from crossval.link.traces.records import FILE, Decisions, Link
from engine.project import Project


def project_links(project: Project) -> dict[str, tuple[Link, ...]]:
    """The links of each story and criterion (by fact id) that has some, the surest first."""
    from crossval.link.traces.linking import links

    return links(project.store, decisions_of(project))


def decisions_of(project: Project) -> Decisions:
    """What the project's links file decides. Raises ConfigurationError where it has mistakes."""
    file = project.root / FILE
    if not os.path.lexists(file):
        return Decisions()
    from crossval.link.traces.decisions import load

    return load(file)
