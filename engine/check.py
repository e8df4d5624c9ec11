"""The main job: refresh the facts, cross-validate them, and report what is neither suppressed nor accepted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping

import msgspec

from crossval.alignment import promises_nothing
from crossval.baseline import Baseline, part, split
from crossval.baseline import load as load_baseline
from crossval.findings import Finding, Silenced
from crossval.link.definitions.docstrings import docstrings_tell
from crossval.link.traces.records import Decisions
from crossval.report.report import Report, make_report
from crossval.selection import QUIET, Selection, choose
from crossval.suppressions import suppress
from engine.comparing import known_rules, outcome_of, target_of
from engine.configuration import Settings
from engine.links import decisions_of
from engine.project import Project, Refreshed, Tell, refresh
from graph.errors import NothingToCompare
from graph.facts import Kind, Skipped, Tag, Unknown
from graph.faults import INTERNAL, is_fault
from graph.store.records import Notes
from graph.store.store import Store

_LOOKED_FOR = (
    "OpenAPI documents (.yaml, .yml, .json), stubs (.pyi), user stories (.md) and features (.feature)"
)
_WRITTEN = (".yaml", ".yml", ".json", ".pyi", ".md", ".feature")


class Checked(msgspec.Struct, frozen=True):
    """What a check came to: the report, the exit code, and all findings before the baseline was applied.

    `baseline` has the accepted findings of the rules that ran, `others` those of rules that were not asked. `stale`
    counts those of the former that no longer occur; it is 0 where the user asked about a part of the project only.
    `faults` tells what is unknown, or was not read, since crossfact itself failed on it; the exit code is 3 then.
    """

    report: Report
    exit_code: int
    findings: tuple[Finding, ...]
    baseline: Baseline
    others: Baseline
    stale: int
    faults: tuple[str, ...] = ()


def check(
    project: Project,
    *,
    tell: Tell,
    progress: Callable[[int, int], None] | None = None,
    with_baseline: bool = True,
) -> Checked:
    """Compare the project's specs with its code; where there are no others, docstrings are the specs.

    Raises NothingToCompare where there are none of either, or where specs that were named say nothing.
    """
    begun = time.perf_counter()
    settings = project.settings
    selection = selected(settings, project.store)
    if settings.python_version:
        target_of(settings)  # a version that is none is told before anything is read
    whole = load_baseline(project.root / settings.baseline) if with_baseline else Baseline()
    baseline, others = part(whole, known=selection.usual, chosen=selection.severities)
    refreshed = refresh(project, tell=tell, progress=progress)
    notes = project.store.notes()
    counts = project.store.counts()
    told = any(defect.tag is Tag.SPEC for defect in notes.defects) or any(
        map(promises_nothing, notes.unknown)
    )
    if not _said(counts, Tag.SPEC) and not told:
        if not _docstrings_alone(project):
            raise _nothing(project, refreshed, notes, counts)
        tell(
            "crossfact: no contracts, stubs, stories or features here"
            f"{_left_out(refreshed, notes, _WRITTEN)}; what docstrings say is compared with the code."
        )
    validated = validate(settings, project.store, notes, refreshed.unread, decisions_of(project))
    asked = Asked(project.narrowed)
    findings = [finding for finding in validated.findings if asked.concerns(finding)]
    parted = split(findings, baseline)
    silenced = [each for each in validated.silenced if asked.concerns(each.finding)]
    accepted = [Silenced(each, f"accepted in {settings.baseline}") for each in parted.known]
    report = make_report(
        parted.new,
        [each for each in (*validated.unknown, *notes.unknown) if asked.covers(each.path)],
        [each for each in (*refreshed.skipped, *notes.skipped) if asked.covers(each.path)],
        facts={tag: _said(counts, tag) for tag in Tag},
        sources=project.store.sources(),
        seconds=round(time.perf_counter() - begun, 3),
        suppressed=len(silenced),
        baselined=len(accepted),
        silenced=[*silenced, *accepted],
    )
    stale = 0 if project.narrowed else len(parted.stale)
    faults = _faults(validated.unknown, notes.unknown, notes.skipped)
    code = INTERNAL if faults else selection.exit_code(parted.new)
    return Checked(report, code, tuple(findings), baseline, others, stale, faults)


def _faults(*told: Iterable[Unknown | Skipped]) -> tuple[str, ...]:
    """Each place at which crossfact itself failed, with what it failed of."""
    every = {f"{each.path}: {each.reason}" for notes in told for each in notes if is_fault(each.reason)}
    return tuple(sorted(every))


class Validated(msgspec.Struct, frozen=True):
    """What comparing a store's facts came to: findings of the chosen rules, what is unknown, what a source silenced."""

    findings: tuple[Finding, ...]
    unknown: tuple[Unknown, ...]
    silenced: tuple[Silenced, ...]


def selected(settings: Settings, store: Store) -> Selection:
    """The rules that the settings choose, with severities. Raises ConfigurationError for rules that do not exist."""
    return choose(
        known_rules(store),
        select=settings.select,
        ignore=settings.ignore,
        severity=settings.severity,
        fail_on=settings.fail_on,
    )


def validate(
    settings: Settings,
    store: Store,
    notes: Notes,
    unread: Mapping[str, str],
    decisions: Decisions | None = None,
) -> Validated:
    """Compare the specs of a store with its code; `notes` is what readers said, `unread` what they could not read,
    `decisions` which links people accepted or rejected."""
    selection = selected(settings, store)
    quietly = not QUIET.isdisjoint(selection.severities)
    outcome = outcome_of(settings, store, notes, unread, decisions, modules_asked=quietly)
    judged = suppress(
        selection.apply(outcome.findings),
        notes.suppressions,
        known=selection.usual,
        ran=selection.severities,
    )
    findings = tuple(selection.apply(judged.findings))
    return Validated(findings, tuple(outcome.unknown), tuple(judged.silenced))


class Asked(msgspec.Struct, frozen=True):
    """The part of the project that the user wants to hear about: these files and folders; all where there are none."""

    paths: tuple[str, ...]

    def covers(self, path: str) -> bool:
        """Whether a file belongs to it."""
        return not self.paths or any(
            each == "." or path == each or path.startswith(f"{each}/") for each in self.paths
        )

    def concerns(self, finding: Finding) -> bool:
        """Whether the evidence of either side lies in it."""
        return any(
            witness is not None and self.covers(witness.path) for witness in (finding.spec, finding.code)
        )


def _docstrings_alone(project: Project) -> bool:
    """Whether docstrings tell something to compare, and nobody named other specs."""
    settings = project.settings
    return not (settings.spec or settings.stories or settings.stubs) and docstrings_tell(project.store)


def _left_out(refreshed: Refreshed, notes: Notes, suffixes: tuple[str, ...] = ("",)) -> str:
    """What might have been a spec and was not read, in brackets; only paths that end so."""
    unread = {each.path: each for each in notes.skipped if not each.path.endswith(".py")}
    every = [*unread.values(), *(each for each in refreshed.skipped if each.path != ".")]
    skipped = [each for each in every if each.path.endswith(suffixes)]
    if not skipped:
        return ""
    from crossval.report.sections import plural

    skipped.sort(key=lambda each: not each.path.endswith(_WRITTEN))
    return f" ({plural(len(skipped), 'path')} left out: {skipped[0].path} {skipped[0].reason})"


def _nothing(
    project: Project, refreshed: Refreshed, notes: Notes, counts: Mapping[str, Mapping[str, int]]
) -> NothingToCompare:
    left_out = _left_out(refreshed, notes)
    if refreshed.sources == 0:
        return NothingToCompare(
            f"{project.root}: nothing to read{left_out}",
            f"Name a project folder; looked for Python code, {_LOOKED_FOR}.",
        )
    from crossval.report.sections import plural

    code = plural(_said(counts, Tag.CODE), "fact")
    return NothingToCompare(
        f"{project.root}: no specs found beside {code} of code in {plural(refreshed.sources, 'file')}{left_out}",
        f"Looked for {_LOOKED_FOR}; name them with --spec PATH. `crossfact stub PACKAGE` writes type stubs to "
        "begin with; `crossfact ask`, `facts` and `query` need no specs.",
    )


def _said(counts: Mapping[str, Mapping[str, int]], tag: Tag) -> int:
    """How many facts a witness gave that can be compared; commits tell of the past, and pages show only calls."""
    return sum(count for kind, count in counts.get(tag, {}).items() if kind not in (Kind.COMMIT, Kind.PAGE))
