"""The rule about fields of a contract that the code does not know."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged, told_by_spec
from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Direction, Pair
from crossval.rules.rule import rule
from crossval.wording import thing
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.FIELD, kind=FindingKind.GAP)
def field_not_implemented(pair: Pair) -> Iterator[Finding]:
    """The contract names a field that the code's model does not have, or only has for answers.

    ## Why it matters
    In a request the code drops or refuses what the client sends; in a response the client waits for a value that
    never comes. A response field that the contract leaves optional is only a warning, and so is a field of requests
    that the code only shows, where the contract says `readOnly` of others.

    ## How to fix
    Add the field to the model, or take it out of the contract, or say `readOnly` of it there.
    """
    if pair.spec_fact is None or not pair.place:
        return
    for difference in pair.changed("readOnly"):
        finding = pair.differs(
            difference,
            f"The contract names {thing(pair)} in requests, but the code has it for answers only",
            hint=f"Say readOnly of {pair.name} in the contract, or take it from requests in the code.",
        )
        yield told_by_spec(judged(finding, Severity.WARNING))
    if pair.code_fact is not None:
        return
    required = any(difference.spec is True for difference in pair.changed("required"))
    answer = pair.direction is Direction.RESPONSE
    flow = "answers" if answer else "requests"
    finding = pair.missing(
        f"The contract names {thing(pair)} in {flow}, but the code's model has no such field",
        hint=f"Add {pair.name} to the model, or take it out of the contract.",
    )
    level = Severity.WARNING if answer and not required else Severity.ERROR
    yield told_by_spec(judged(finding, level))
