"""The rule about source files with syntax errors."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule


@rule(Severity.WARNING, kind=FindingKind.DEFECT)
def source_syntax_error(pair: Pair) -> Iterator[Finding]:
    """A source file has a syntax error.

    ## Why it matters
    Only its healthy parts were read, so that findings about the rest may be missing.

    ## How to fix
    Correct the syntax at the line that is named.
    """
    yield from ()
