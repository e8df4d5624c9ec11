"""What renderers are given for a checked project: the report, and how to look up files, rules, stories and more."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from crossval.report.report import Texts
from crossval.report.shown import Manner, Shown
from crossval.rules.rule import Rule
from engine.check import Checked, selected
from engine.project import Project
from engine.version import version
from graph.facts import Skipped
from ingest.history.repository import find_repository
from ingest.text import lines, read_text

if TYPE_CHECKING:
    from crossval.report.surroundings import Surroundings
    from crossval.report.threads import Thread


def shown_for(project: Project, checked: Checked, manner: Manner) -> Shown:
    """The record for one report; whatever costs is looked up only when a renderer asks for it."""
    chosen = selected(project.settings, project.store)
    findings = checked.report.findings

    def rules() -> Sequence[Rule]:
        from engine.plugins import rules as every_rule

        return tuple(rule for rule in every_rule() if rule.name in chosen.severities)

    def threads() -> Sequence[Thread]:
        from engine.surroundings import story_threads

        return story_threads(project, findings)

    def around() -> Surroundings:
        from engine.surroundings import surroundings

        return surroundings(project, findings)

    repository = find_repository(project.root)
    return Shown(
        report=checked.report,
        texts=texts_of(project.root),
        rules=rules,
        version=version(),
        manner=manner,
        prefix=repository.prefix if repository else "",
        fail_on=chosen.fail_on,
        name=project.root.name,
        threads=threads,
        surroundings=around,
    )


def texts_of(root: Path) -> Texts:
    """Gives the lines of a project's files, each of which is read once."""

    @cache
    def texts(path: str) -> Sequence[str] | None:
        text = read_text(root, path)
        return None if isinstance(text, Skipped) else lines(text)

    return texts
