"""The record that every renderer is given: a report, what it may look up, and how it is to be shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from crossval.findings import Finding, Severity

if TYPE_CHECKING:
    from crossval.report.report import Report, Texts
    from crossval.report.surroundings import Surroundings
    from crossval.report.threads import Thread
    from crossval.rules.rule import Rule


def _nothing_around() -> Surroundings:
    from crossval.report.surroundings import Surroundings

    return Surroundings()


class Manner(msgspec.Struct, frozen=True, kw_only=True):
    """How a report is shown, as far as a form can follow it.

    `width` and `colour` are the terminal's; `concise` gives one line per finding; `strict` shows what could not be
    known; `verbose` lists every file that was not read; `timed` lets the seconds be seen; `silenced` shows findings
    that a suppression or the baseline leaves out, as such.
    """

    width: int = 100
    colour: bool = False
    concise: bool = False
    strict: bool = False
    verbose: bool = False
    timed: bool = False
    silenced: bool = False


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown: the report, the files' lines, the rules that it may speak of, and the program's version.

    `prefix` is the project's folder within its repository, with `/` at its end, or empty: forms that hosts of
    repositories read name files from there. From the severity `fail_on` on a finding makes the run fail; never, where
    it is None. `name` is what the project is called. `threads` gives the thread of each story and `surroundings`
    what else forms show beside findings; both cost, so only forms that show them ask.
    """

    report: Report
    texts: Texts
    rules: Callable[[], Sequence[Rule]]
    version: str
    name: str = ""
    manner: Manner = Manner()
    prefix: str = ""
    fail_on: Severity | None = Severity.ERROR
    threads: Callable[[], Sequence[Thread]] = tuple
    surroundings: Callable[[], Surroundings] = _nothing_around

    def fails(self, finding: Finding) -> bool:
        """Whether the finding is one for which the run fails."""
        return self.fail_on is not None and finding.severity.rank >= self.fail_on.rank


def identities(findings: Iterable[Finding]) -> list[str]:
    """One identity per finding, different from all others: its fingerprint, and which of those with this one it is."""
    seen: Counter[str] = Counter()
    told = []
    for finding in findings:
        fingerprint = finding.fingerprint
        seen[fingerprint] += 1
        told.append(f"{fingerprint}:{seen[fingerprint]}")
    return told
