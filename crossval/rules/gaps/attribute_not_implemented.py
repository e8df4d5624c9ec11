"""The rule about attributes of a stub that the code lacks."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from crossval.findings import Finding, FindingKind, Severity, witness
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.ATTRIBUTE, kind=FindingKind.GAP)
def attribute_not_implemented(pair: Pair) -> Iterator[Finding]:
    """The stub declares an attribute or constant that the code does not define.

    ## Why it matters
    Code that type-checks against the stub fails with an `AttributeError` when it reads the name.

    ## How to fix
    Set the attribute, or take it out of the stub.
    """
    if pair.spec is not None and pair.code is None and pair.code_fact is not None:
        finding = pair.missing(
            f"The stub declares {pair.subject}, but {pair.code_fact.source.path} does not define it",
            hint=f"Define {pair.name} in the code, or take it out of the stub.",
        )
        yield msgspec.structs.replace(finding, related=(witness(pair.code_fact),))
