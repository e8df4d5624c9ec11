"""How much a difference matters, from the direction in which data flows and from who admits less."""

from __future__ import annotations

import msgspec

from crossval.findings import Finding, Severity, Witness
from crossval.pairs import Difference, Direction, Pair


def severity(pair: Pair, difference: Difference) -> Severity:
    """An error where a client that trusts the spec breaks; else a warning on requests (code admits what nobody
    documented) and a note on responses (code answers less than it might). Answers that only the spec narrows may
    keep to it all the same: a warning."""
    promised_only = difference.code is None and difference.change not in ("format", "type")
    if promised_only and pair.direction is Direction.RESPONSE:
        return Severity.WARNING
    if pair.breaks(difference):
        return Severity.ERROR
    return Severity.NOTE if pair.direction is Direction.RESPONSE else Severity.WARNING


def judged(finding: Finding, level: Severity) -> Finding:
    """The finding with this severity."""
    return msgspec.structs.replace(finding, severity=level)


def told_by_spec(finding: Finding) -> Finding:
    """The finding as a gap of the code: the place where the code stays silent becomes related evidence."""
    return msgspec.structs.replace(finding, code=None, related=_related(finding.code))


def told_by_code(finding: Finding) -> Finding:
    """The finding as a gap of the spec: the place where the spec stays silent becomes related evidence."""
    return msgspec.structs.replace(finding, spec=None, related=_related(finding.spec))


def _related(silent: Witness | None) -> tuple[Witness, ...]:
    return (silent,) if silent else ()
