"""The rule about attributes of a stub that the code lacks."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from crossval.blame import judged
from crossval.findings import Finding, FindingKind, Severity, witness
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Fact, Kind

_FORMS = ("TypeVar(", "TypeVarTuple(", "ParamSpec(")


@rule(Severity.ERROR, looks_at=Kind.ATTRIBUTE, kind=FindingKind.GAP)
def attribute_not_implemented(pair: Pair) -> Iterator[Finding]:
    """The stub declares an attribute or constant that the code does not define.

    ## Why it matters
    Code that type-checks against the stub fails with an `AttributeError` when it reads the name. Of a type variable it
    is only noted: hardly anybody but the stub reads it.

    ## How to fix
    Set the attribute, or take it out of the stub. What only the stub needs is better called `_T` there.
    """
    if pair.spec is not None and pair.code is None and pair.code_fact is not None:
        finding = pair.missing(
            f"The {pair.promise} declares {pair.subject}, but {pair.code_fact.source.path} does not define it",
            hint=f"Define {pair.name} in the code, or take it out of the {pair.promise}.",
        )
        level = Severity.NOTE if _is_type_variable(pair.spec_fact) else Severity.ERROR
        yield judged(msgspec.structs.replace(finding, related=(witness(pair.code_fact),)), level)


def _is_type_variable(fact: Fact | None) -> bool:
    value = fact.aspects.get("value") if fact is not None else None
    return isinstance(value, str) and value.rpartition(".")[2].startswith(_FORMS)
