"""The main job: refresh the facts, cross-validate them, and report what is neither suppressed nor accepted."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import msgspec

from crossval.baseline import Baseline, split
from crossval.baseline import load as load_baseline
from crossval.findings import Finding
from crossval.link.targets import Target, read_target
from crossval.report.report import Report, make_report
from crossval.selection import choose
from crossval.suppressions import suppress
from crossval.validate import aligners_for, cross_validate
from engine.configuration import Settings
from engine.plugins import rules
from engine.project import Project, Refreshed, Tell, refresh
from graph.errors import ConfigurationError, NothingToCompare
from graph.facts import Kind, Tag


class Checked(msgspec.Struct, frozen=True):
    """What a check came to: the report, the exit code, and all findings before the baseline was applied."""

    report: Report
    exit_code: int
    findings: tuple[Finding, ...]
    baseline: Baseline
    stale: int


def check(
    project: Project,
    *,
    tell: Tell,
    progress: Callable[[int, int], None] | None = None,
    with_baseline: bool = True,
) -> Checked:
    """Compare the project's specs with its code. Raises NothingToCompare where there are no specs."""
    begun = time.perf_counter()
    settings = project.settings
    everything = rules()
    selection = choose(
        everything,
        select=settings.select,
        ignore=settings.ignore,
        severity=settings.severity,
        fail_on=settings.fail_on,
    )
    target = _target(settings)
    baseline = load_baseline(project.root / settings.baseline) if with_baseline else Baseline()
    refreshed = refresh(project, tell=tell, progress=progress)
    notes = project.store.notes()
    counts = project.store.counts()
    if not counts.get(Tag.SPEC) and not any(defect.tag is Tag.SPEC for defect in notes.defects):
        raise _nothing(project, refreshed, counts)
    outcome = cross_validate(
        project.store,
        aligners=aligners_for(target),
        rules=everything,
        defects=notes.defects,
        unread=refreshed.unread,
        unseen=notes.unknown,
    )
    judged = suppress(
        selection.apply(outcome.findings),
        notes.suppressions,
        known={rule.name for rule in everything},
        ran=selection.severities,
    )
    findings = selection.apply(judged.findings)
    parted = split(findings, baseline)
    report = make_report(
        parted.new,
        [*outcome.unknown, *notes.unknown],
        [*refreshed.skipped, *notes.skipped],
        facts={tag: _said(counts, tag) for tag in Tag},
        sources=project.store.sources(),
        seconds=round(time.perf_counter() - begun, 3),
        suppressed=len(judged.silenced),
        baselined=len(parted.known),
    )
    return Checked(report, selection.exit_code(parted.new), tuple(findings), baseline, len(parted.stale))


def _target(settings: Settings) -> Target:
    target = read_target(settings.python_version, settings.platform)
    if target is None:
        raise ConfigurationError(
            f"python_version: `{settings.python_version}` is no version of Python", "Write it as `3.12`."
        )
    return target


def _nothing(
    project: Project, refreshed: Refreshed, counts: Mapping[str, Mapping[str, int]]
) -> NothingToCompare:
    where = ", ".join(project.narrowed) or str(project.root)
    looked_for = (
        "OpenAPI documents (.yaml, .yml, .json), stubs (.pyi), user stories (.md) and features (.feature)"
    )
    if refreshed.sources == 0:
        return NothingToCompare(
            f"{where}: nothing to read", f"Name a project folder; looked for Python code, {looked_for}."
        )
    code = _said(counts, Tag.CODE)
    return NothingToCompare(
        f"{where}: no specs found beside {code} facts of code in {refreshed.sources} files",
        f"Looked for {looked_for}; name them with --spec PATH.",
    )


def _said(counts: Mapping[str, Mapping[str, int]], tag: Tag) -> int:
    """How many facts a witness gave; commits tell of the code's past, not of what it does."""
    return sum(count for kind, count in counts.get(tag, {}).items() if kind != Kind.COMMIT)
