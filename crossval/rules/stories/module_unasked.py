"""The rule about modules that nobody asked for."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.NOTE, looks_at=Kind.MODULE, kind=FindingKind.GAP)
def module_unasked(pair: Pair) -> Iterator[Finding]:
    """No story, contract or stub asks for a module, nor for anything that imports it.

    This rule speaks only where `select` or `severity` names it: much code that nobody wrote a story about is needed.

    ## Why it matters
    What nobody asked for is either forgotten by the specs, or left over.

    ## How to fix
    Write down what it is for, or delete it.
    """
    if pair.place == "asked":
        yield pair.missing(
            f"No story, contract or stub asks for {pair.subject}, nor for anything that imports it",
            hint="Write down what it is for, or delete it.",
            aspect="exists",
        )
