"""The rule about parameters that the code reads and the contract does not name."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged
from crossval.findings import Finding, Severity
from crossval.pairs import Direction, Pair
from crossval.rules.rule import rule
from crossval.wording import thing
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.PARAMETER)
def parameter_undocumented(pair: Pair) -> Iterator[Finding]:
    """The code reads a parameter that the contract does not name.

    ## Why it matters
    Where the code requires it, every request that follows the contract fails: an error. Otherwise it is a switch
    that no client knows of: a warning.

    ## How to fix
    Describe the parameter in the contract, or stop reading it.
    """
    if pair.direction is not Direction.REQUEST or pair.spec_fact is not None:
        return
    required = any(difference.code is True for difference in pair.changed("required"))
    finding = pair.missing(
        f"The code {'requires' if required else 'reads'} {thing(pair)}, which the contract does not name",
        hint=f"Describe {pair.name} in the contract, or stop reading it.",
    )
    yield judged(finding, Severity.ERROR if required else Severity.WARNING)
