"""The tools about findings: check, list, explain, and what could not be known."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator, Sequence

from crossval.findings import Finding, Severity, Witness
from crossval.rules.rule import Rule
from crossval.selection import nearest
from engine.check import Asked, Checked, check
from engine.mcp import asked, bounds, told
from engine.mcp.desk import Desk
from engine.plugins import rules
from graph.errors import UsageError
from graph.facts import Tag, Unknown

_AROUND = 3
_AFFECTED = 50


def checked(desk: Desk, arguments: asked.Checking) -> told.Checked:
    """The tool `check`."""
    done, revision = _check(desk)
    report = done.report
    found = _on(report.findings, arguments.paths, desk)
    counts = Counter((each.rule, each.severity) for each in found)
    summary = report.summary
    by_severity = Counter(each.severity for each in found)
    return told.Checked(
        revision=revision,
        facts={tag: getattr(summary.facts, tag) for tag in Tag},
        sources=summary.sources,
        errors=by_severity[Severity.ERROR],
        warnings=by_severity[Severity.WARNING],
        notes_found=by_severity[Severity.NOTE],
        rules=tuple(
            told.RuleCount(rule=rule, severity=severity, count=count)
            for (rule, severity), count in sorted(
                counts.items(), key=lambda each: (-each[0][1].rank, -each[1], each[0][0])
            )
        ),
        unknown=len(report.unknown),
        skipped=len(report.skipped),
        suppressed=report.suppressed,
        baselined=report.baselined,
        exit_code=done.exit_code,
    )


def findings(desk: Desk, arguments: asked.Findings) -> told.FindingsPage:
    """The tool `findings`."""
    done, revision = _check(desk)
    known = {rule.name for rule in rules()}
    for name in arguments.rules:
        if name not in known:
            raise _no_rule(name, known)
    found = _on(done.report.findings, arguments.paths, desk)
    wanted = [each for each in found if _is_wanted(each, arguments)]
    shown, following = bounds.page(wanted, arguments, finding_told)
    return told.FindingsPage(revision=revision, total=len(wanted), findings=shown, next_offset=following)


def one_finding(desk: Desk, arguments: asked.OneFinding) -> told.FindingInFull:
    """The tool `explain_finding`."""
    done, revision = _check(desk)
    found = [each for each in done.report.findings if each.fingerprint.startswith(arguments.fingerprint)]
    if not found:
        raise UsageError(
            f"no finding has the fingerprint {arguments.fingerprint}",
            "It may be fixed, suppressed or accepted by now: list them with `findings`.",
        )
    if len({each.fingerprint for each in found}) > 1:
        raise UsageError(
            f"{len(found)} findings begin with {arguments.fingerprint}", "Give more of the fingerprint."
        )
    finding = found[0]
    rule = next(each for each in rules() if each.name == finding.rule)
    witnesses = [each for each in (finding.spec, finding.code, *finding.related[:5]) if each is not None]
    return told.FindingInFull(
        revision=revision,
        finding=finding_told(finding),
        hint=bounds.text(finding.hint),
        related=bounds.fitting(map(_witness, finding.related))[0],
        affects=finding.affects[:_AFFECTED],
        excerpts=tuple(_excerpts(desk, witnesses)),
        rule=_rule_told(rule),
        help=bounds.text(rule.help, 8_000),
    )


def unknown(desk: Desk, arguments: asked.Paged) -> told.UnknownPage:
    """The tool `unknown`."""
    done, revision = _check(desk)
    everything = [
        *done.report.unknown,
        *(Unknown("", "", each.path, each.line, each.reason) for each in done.report.skipped),
    ]
    shown, following = bounds.page(everything, arguments, _unread)
    return told.UnknownPage(revision=revision, total=len(everything), unknown=shown, next_offset=following)


def all_rules(desk: Desk, arguments: asked.Paged) -> told.RulesPage:
    """The tool `rules`."""
    everything = rules()
    shown, following = bounds.page(everything, arguments, _rule_told)
    return told.RulesPage(revision=0, total=len(everything), rules=shown, next_offset=following)


def one_rule(desk: Desk, arguments: asked.OneRule) -> told.RuleInFull:
    """The tool `explain_rule`."""
    everything = {rule.name: rule for rule in rules()}
    rule = everything.get(arguments.rule)
    if rule is None:
        raise _no_rule(arguments.rule, set(everything))
    return told.RuleInFull(revision=0, rule=_rule_told(rule), help=bounds.text(rule.help, 8_000))


def finding_told(finding: Finding) -> told.Finding:
    """A finding with both sides."""
    return told.Finding(
        fingerprint=finding.fingerprint,
        rule=finding.rule,
        kind=finding.kind,
        severity=finding.severity,
        confidence=finding.confidence,
        subject=bounds.text(finding.subject, 500),
        aspect=bounds.text(finding.aspect, 500),
        message=bounds.text(finding.message, 2_000),
        spec=_witness(finding.spec) if finding.spec else None,
        code=_witness(finding.code) if finding.code else None,
    )


def _check(desk: Desk) -> tuple[Checked, int]:
    with desk.project() as project:
        done = check(project, tell=desk.tell, progress=desk.reading)
        return done, project.store.revision


def _on(found: Sequence[Finding], paths: Sequence[str], desk: Desk) -> list[Finding]:
    """The findings in some files or folders, also where these are named from the top of the disk.

    Raises UsageError for one that is not there: an answer without findings would say that it is without fault.
    """
    root = desk.root.as_posix()
    inside = tuple(posixpath.relpath(posixpath.join(root, path), root) for path in paths)
    known = {each.path for one in found for each in (one.spec, one.code) if each is not None}
    for given, path in zip(paths, inside, strict=True):
        if not (path in known or (desk.root / path).exists()) or path.split("/")[0] == "..":
            raise UsageError(
                f"{given}: no such file or folder of the project", "Paths begin at the project's root."
            )
    asked_for = Asked(inside)
    return [each for each in found if asked_for.concerns(each)]


def _is_wanted(finding: Finding, arguments: asked.Findings) -> bool:
    return (
        finding.severity.rank >= arguments.severity.rank
        and (not arguments.kinds or finding.kind in arguments.kinds)
        and (not arguments.rules or finding.rule in arguments.rules)
        and arguments.subject.casefold() in finding.subject.casefold()
    )


def _witness(witness: Witness) -> told.Witness:
    return told.Witness(
        fact=witness.fact, path=witness.path, line=witness.line, value=bounds.value(witness.value)
    )


def _excerpts(desk: Desk, witnesses: Sequence[Witness]) -> Iterator[told.Excerpt]:
    for path, line in dict.fromkeys((each.path, each.line) for each in witnesses):
        first = max(1, line - _AROUND)
        if shown := desk.excerpt(path, first, line + _AROUND):
            yield told.Excerpt(path=path, first=first, lines=shown)


def _unread(unknown: Unknown) -> told.Unread:
    return told.Unread(
        path=unknown.path,
        line=unknown.line,
        subject=bounds.text(unknown.subject, 500),
        aspect=bounds.text(unknown.aspect, 500),
        reason=bounds.text(unknown.reason, 1_000),
    )


def _rule_told(rule: Rule) -> told.Rule:
    return told.Rule(
        name=rule.name, family=rule.family, kind=rule.kind, severity=rule.severity, summary=rule.summary
    )


def _no_rule(name: str, known: set[str]) -> UsageError:
    near = nearest(name, known)
    return UsageError(
        f"no rule is called {name}", f"Did you mean `{near}`?" if near else "`rules` lists them all."
    )
