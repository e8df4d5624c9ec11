"""The links of a project's stories and criteria with its code and tests, with what was decided by hand."""

from __future__ import annotations

from crossval.link.traces.linking import links
from crossval.link.traces.records import Link
from engine.project import Project


def project_links(project: Project) -> dict[str, tuple[Link, ...]]:
    """The links of each story and criterion (by fact id) that has some, the surest first."""
    return links(project.store)
