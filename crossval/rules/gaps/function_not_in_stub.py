"""The rule about public functions of the code that its stub leaves out."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from crossval.findings import Finding, FindingKind, Severity, witness
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind

_OR_HIDE = ", or begin its name with an underscore"


@rule(Severity.WARNING, looks_at=Kind.FUNCTION, kind=FindingKind.GAP)
def function_not_in_stub(pair: Pair) -> Iterator[Finding]:
    """The code has a public function or method that its stub does not declare.

    ## Why it matters
    Type checkers read the stub alone: to them the function does not exist, and each use of it is an error.

    ## How to fix
    Declare the function in the stub, or mark it as private with a leading underscore.
    """
    if pair.code is not None and pair.spec is None and pair.spec_fact is not None:
        special = pair.name.startswith("__") and pair.name.endswith("__")
        finding = pair.missing(
            f"The code defines {pair.subject}, which the stub {pair.spec_fact.source.path} does not declare",
            hint=f"Declare {pair.name} in the stub{_OR_HIDE * (not special)}.",
        )
        yield msgspec.structs.replace(finding, related=(witness(pair.spec_fact),))
