"""The record that cross-validation produces: a finding with its evidence on both sides."""

import json
from enum import StrEnum

import msgspec

from graph.digests import sha256
from graph.facts import Fact, Json, Unknown


class Severity(StrEnum):
    """How much a finding matters; ordered by `rank`."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """3 for an error, 2 for a warning, 1 for a note."""
        return {"error": 3, "warning": 2, "note": 1}[self.value]


class FindingKind(StrEnum):
    """A gap: one witness is silent. A contradiction: both speak and differ. A defect: one is wrong in itself."""

    GAP = "gap"
    CONTRADICTION = "contradiction"
    DEFECT = "defect"


class Witness(msgspec.Struct, frozen=True):
    """One side's evidence: the fact, its place, and the JSON value as read there."""

    fact: str
    path: str
    line: int
    value: Json = None


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One gap, contradiction or defect. The rule's decorator fills in `rule`, `kind` and `severity`.

    `hint` says how to fix it in one sentence; `affects` lists operations that reach the subject.
    """

    subject: str
    aspect: str
    message: str
    spec: Witness | None = None
    code: Witness | None = None
    hint: str = ""
    related: tuple[Witness, ...] = ()
    affects: tuple[str, ...] = ()
    confidence: float = 1.0
    rule: str = ""
    kind: FindingKind = FindingKind.CONTRADICTION
    severity: Severity = Severity.ERROR

    @property
    def primary(self) -> Witness:
        """Where the finding is shown: on the code's line where code speaks, else on the spec's."""
        witness = self.code or self.spec
        assert witness is not None, "a finding has at least one witness"
        return witness

    @property
    def fingerprint(self) -> str:
        """16 hex digits of a hash over rule, subject, aspect and both values: moved lines do not change it."""
        identity = [
            self.rule,
            self.subject,
            self.aspect,
            self.spec.value if self.spec else None,
            self.code.value if self.code else None,
        ]
        # The standard encoder writes lone surrogates as escapes; they may come from a contract's own escapes.
        return sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def order(self) -> tuple[str, int, str, str, str, str]:
        """The sort key of reports: path, line, rule, subject, aspect."""
        place = self.primary
        return (place.path, place.line, self.rule, self.subject, self.aspect, self.fingerprint)


class Silenced(msgspec.Struct, frozen=True):
    """A finding that is left out of reports, and why.

    `path` and `line` are where a source suppresses it; empty and 0 for one that the baseline accepts.
    """

    finding: Finding
    reason: str
    path: str = ""
    line: int = 0


class Outcome(msgspec.Struct, frozen=True):
    """What a comparison came to: all findings in the order of reports, and what could not be known, sorted."""

    findings: list[Finding]
    unknown: list[Unknown]


def line_of_row(fact: Fact, row: int) -> int:
    """The line of a criterion's source that a row of its text (from 0) stands on, as near as the fact tells.

    A title that is no part of the text has a line of its own before it.
    """
    title, text = fact.aspects.get("title") or "", fact.aspects.get("text") or ""
    before = 1 if title and title not in str(text).split("\n", 1)[0] else 0
    return min(fact.source.line + before + row, fact.source.end_line)


def witness(fact: Fact, value: Json = None, line: int | None = None, path: str | None = None) -> Witness:
    """The evidence that a fact gives, at its own line unless a more exact place is known."""
    return Witness(
        fact=fact.id,
        path=path or fact.source.path,
        line=fact.source.line if line is None else line,
        value=value,
    )
