"""The rule about stubs without a module."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.MODULE, kind=FindingKind.GAP)
def module_not_implemented(pair: Pair) -> Iterator[Finding]:
    """There is a stub for a module that the code does not have.

    ## Why it matters
    All that the stub declares fails with a `ModuleNotFoundError` as soon as it is imported.

    ## How to fix
    Write the module, or remove its stub.
    """
    if pair.spec is not None and pair.code is None:
        yield pair.missing(
            f"There is a stub for {pair.subject}, but no code",
            hint=f"Write {pair.subject}, or remove its stub.",
        )
