"""The rule about fields of the code that the contract does not allow for."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged, told_by_code
from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Direction, Pair
from crossval.rules.rule import rule
from crossval.wording import thing
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.FIELD, kind=FindingKind.GAP)
def field_undocumented(pair: Pair) -> Iterator[Finding]:
    """The code takes or returns a field that the contract does not name, or that it keeps for the other direction.

    ## Why it matters
    A field that the code requires and nobody documented makes every documented request fail; one that it returns
    may leak what was meant to stay inside, and breaks clients where the contract forbids further fields. A field
    that is merely unknown to the contract is a warning.

    ## How to fix
    Describe the field in the contract, or take it out of the model.
    """
    reserved = any(pair.changed("writeOnly"))
    if pair.code_fact is None or (pair.spec_fact is not None and not reserved):
        return
    demanded = any(difference.code is True for difference in pair.changed("required"))
    forbidden = any(pair.changed("additionalProperties"))
    answer = pair.direction is Direction.RESPONSE
    if reserved:
        told = f"The code returns {thing(pair)}, which the contract declares write-only"
    elif answer:
        told = f"The code returns {thing(pair)}, which the contract does not name"
    else:
        told = (
            f"The code {'requires' if demanded else 'takes'} {thing(pair)}, which the contract does not name"
        )
    finding = pair.missing(
        f"{told} and forbids" if forbidden else told,
        hint=f"Describe {pair.name} in the contract, or take it out of the model.",
    )
    breaking = reserved or forbidden or (demanded and not answer)
    yield told_by_code(judged(finding, Severity.ERROR if breaking else Severity.WARNING))
