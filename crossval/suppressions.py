"""Suppressions in the sources, applied to findings, and what is wrong with the suppressions themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

import msgspec

from crossval.findings import Finding, Silenced, Witness
from crossval.rules.rule import Rule
from crossval.rules.specs.suppression_unknown_rule import suppression_unknown_rule
from crossval.rules.specs.suppression_without_reason import suppression_without_reason
from crossval.rules.specs.unused_suppression import unused_suppression
from crossval.selection import nearest
from graph.facts import Suppression

ABOUT_SUPPRESSIONS = frozenset(
    rule.name for rule in (suppression_unknown_rule, suppression_without_reason, unused_suppression)
)
"""The rules whose findings no suppression silences."""

_Named = tuple[Suppression, str]
"""A suppression and one of the rules that it names."""


class Suppressed(msgspec.Struct, frozen=True):
    """Findings parted by suppressions: what is left to report, defects of suppressions included, and what is not."""

    findings: list[Finding]
    silenced: list[Silenced]


def suppress(
    findings: Iterable[Finding],
    suppressions: Iterable[Suppression],
    *,
    known: Collection[str],
    ran: Collection[str] | None = None,
) -> Suppressed:
    """The findings that no suppression covers, and one defect for each useless suppression, in a report's order.

    A suppression covers a finding if it names its rule, gives a reason, and the evidence of either side lies on
    its lines. `known` are the names of all rules; `ran` of those that looked for findings (all, where it is
    None): a suppression of another rule is not called unused. What is wrong with a suppression cannot itself be
    suppressed.
    """
    ordered = sorted(set(suppressions))
    covering: dict[tuple[str, str], list[Suppression]] = defaultdict(list)
    for suppression in ordered:
        if suppression.reason.strip():
            for name in suppression.rules:
                covering[suppression.path, name].append(suppression)
    used: set[_Named] = set()
    kept: list[Finding] = []
    silenced: list[Silenced] = []
    for finding in findings:
        hits = sorted(_hits(finding, covering))
        used |= {(suppression, finding.rule) for suppression in hits}
        if hits:
            silenced.append(Silenced(finding, hits[0].reason.strip(), hits[0].path, hits[0].line))
        else:
            kept.append(finding)
    judged = frozenset(known if ran is None else ran)
    for suppression in ordered:
        kept.extend(_defects(suppression, used, frozenset(known), judged))
    return Suppressed(sorted(kept, key=lambda finding: finding.order), silenced)


def _hits(finding: Finding, covering: dict[tuple[str, str], list[Suppression]]) -> Iterator[Suppression]:
    for witness in (finding.spec, finding.code):
        if witness is None:
            continue
        for suppression in covering.get((witness.path, finding.rule), ()):
            if suppression.first <= witness.line <= suppression.last:
                yield suppression


def _defects(
    suppression: Suppression, used: set[_Named], known: frozenset[str], judged: frozenset[str]
) -> Iterator[Finding]:
    names = dict.fromkeys(suppression.rules)
    if not names:
        yield _defect(
            suppression_unknown_rule,
            suppression,
            "This suppression names no rule, so it silences nothing",
            "Write the rule's name in brackets behind `ignore`.",
        )
    for name in names:
        if name not in known:
            near = nearest(name, known)
            yield _defect(
                suppression_unknown_rule,
                suppression,
                f"This suppression names `{name}`, which is no rule",
                f"Did you mean `{near}`?" if near else "`crossfact rules` lists all rules.",
                name,
            )
    if not suppression.reason.strip():
        yield _defect(
            suppression_without_reason,
            suppression,
            "This suppression gives no reason, so it silences nothing",
            "Write the reason behind the brackets.",
        )
        return
    for name in names:
        if name in known and name in judged and (suppression, name) not in used:
            yield _defect(
                unused_suppression,
                suppression,
                f"Nothing here trips `{name}`, which this suppression silences",
                "Delete it, or move it to the line of the finding.",
                name,
            )


def _defect(rule: Rule, suppression: Suppression, message: str, hint: str, name: str = "") -> Finding:
    in_code = suppression.path.endswith(".py")
    value = name or list(suppression.rules)
    evidence = Witness("", suppression.path, suppression.line, value)
    return Finding(
        subject=f"file {suppression.path}",
        aspect="source",
        message=message,
        hint=hint,
        spec=None if in_code else evidence,
        code=evidence if in_code else None,
        rule=rule.name,
        kind=rule.kind,
        severity=rule.severity,
    )
