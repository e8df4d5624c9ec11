"""The rule about functions of a stub that the code lacks."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from crossval.findings import Finding, FindingKind, Severity, witness
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.FUNCTION, kind=FindingKind.GAP)
def function_not_implemented(pair: Pair) -> Iterator[Finding]:
    """The stub declares a function or method that the code does not define.

    ## Why it matters
    Callers that type-check against the stub fail with an `AttributeError` or `ImportError` when they run.

    ## How to fix
    Write the function, or take it out of the stub.
    """
    if pair.spec is not None and pair.code is None and pair.code_fact is not None:
        finding = pair.missing(
            f"The {pair.promise} declares {pair.subject}, but {pair.code_fact.source.path} does not define it",
            hint=f"Define {pair.name} in the code, or take it out of the {pair.promise}.",
        )
        yield msgspec.structs.replace(finding, related=(witness(pair.code_fact),))
