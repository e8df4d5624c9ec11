"""Makes the pairs of claims and of what a field, a parameter, a constant or an operation states otherwise."""

from __future__ import annotations

import msgspec

from crossval.compare.claim_words import claimed, stated
from crossval.compare.claims import ClaimPair, Stated, against_schema
from crossval.findings import witness
from crossval.link.claims.constants import Constant
from crossval.link.claims.subjects import NAMED, Candidate
from graph.facts import Fact, Json, Kind

CONTRACT, CODE = "contract", "code"
"""Who may state something else than a claim."""


def verdict(claim: Json, candidates: list[Candidate], holder: Fact, against: str) -> ClaimPair | None:
    """The pair where every candidate that says something of the claim says one other thing."""
    told = stated_by(claim, candidates)
    if not told or any(found.agrees for found, _ in told):
        return None
    if len({repr(found.value) for found, _ in told}) > 1:
        return None
    found, candidate = told[0]
    return claim_pair(claim, found, stated(found), candidate, holder, against)


def stated_by(claim: Json, candidates: list[Candidate]) -> list[tuple[Stated, Candidate]]:
    """What the candidates say of the claim, of those that say something."""
    told = []
    for candidate in candidates:
        fact = candidate.fact
        found = against_schema(claim, fact.aspects.get("schema") or {}, fact.aspects.get("required"))
        if found is not None:
            told.append((found, candidate))
    return told


def of_constant(claim: Json, constant: Constant, holder: Fact) -> ClaimPair | None:
    """The pair where a constant has another value than is claimed."""
    if constant.agrees:
        return None
    found = Stated("value", constant.value, False)
    return claim_pair(claim, found, str(constant.value), Candidate(constant.fact, NAMED), holder, CODE)


def claim_pair(
    claim: Json, found: Stated, text: str, candidate: Candidate, holder: Fact, against: str
) -> ClaimPair:
    """The pair of a claim that `holder` makes and of what a candidate states otherwise."""
    fact = candidate.fact
    subject = f"{holder.kind} {holder.key}" if holder.kind in (Kind.STORY, Kind.CRITERION) else _thing(fact)
    return ClaimPair(
        kind=Kind.CRITERION,
        subject=subject,
        place="claims",
        name=holder.key,
        spec=msgspec.structs.replace(witness(holder, claim["words"]), line=claim["line"]),
        code=witness(fact, found.value),
        spec_fact=holder,
        code_fact=fact,
        claimed=claimed(claim),
        stated=text,
        target=_thing(fact),
        against=against,
        aspect=found.keyword,
        confidence=candidate.confidence,
        soft=claim["modality"] == "should",
    )


def _thing(fact: Fact) -> str:
    if fact.kind is Kind.FIELD:
        return f"field {fact.name} of {fact.key.removesuffix('.' + fact.name)}"
    if fact.kind is Kind.PARAMETER:
        return f"{fact.aspects.get('in', '')} parameter {fact.name} of {fact.key.partition('#')[0]}".strip()
    return fact.key
