"""The rule about routes that no contract mentions."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=(Kind.OPERATION, Kind.CALLBACK), kind=FindingKind.GAP)
def operation_undocumented(pair: Pair) -> Iterator[Finding]:
    """The code answers an operation that the contract does not mention.

    Webhooks and callbacks count where the contract mentions others of them. A contract that describes less than a tenth
    of more than twenty operations gives one finding for all that it does not mention (`affects` in `--format json`).

    ## Why it matters
    Nobody reviews, tests or protects an operation that they do not know of, and clients cannot use it.

    ## How to fix
    Describe the operation in the contract, remove the route, or mark it as internal (FastAPI:
    `include_in_schema=False`).
    """
    if pair.spec_fact is None and pair.code_fact is not None and pair.kind is Kind.CALLBACK:
        yield pair.missing(
            f"The code declares that it sends {pair.subject}, which the contract does not mention beside others",
            hint=f"Describe {pair.subject} in the contract, or remove its declaration.",
        )
    elif pair.spec_fact is None and pair.code_fact is not None and pair.subject.startswith("file "):
        contract = pair.subject.removeprefix("file ")
        yield pair.missing(
            f"The code answers {len(pair.affects)} operations that {contract} does not mention, "
            f"such as {pair.affects[0]}",
            hint="Describe them in the contract, or allow this where it is meant for a part of the service.",
        )
    elif pair.spec_fact is None and pair.code_fact is not None:
        yield pair.missing(
            f"The code answers {pair.subject}, which the contract does not mention",
            hint=f"Describe {pair.subject} in the contract, or remove the route.",
        )
