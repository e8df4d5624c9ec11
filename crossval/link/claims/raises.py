"""Holds the errors that stories say are raised against what the code raises."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crossval.compare.claims import ClaimPair, Stated
from crossval.link.claims.operations import INFERRED
from crossval.link.claims.pairs import CODE, claim_pair
from crossval.link.claims.subjects import Candidate
from graph.facts import Fact, Json, Kind, Tag, Verb
from graph.source import FactSource


def never_raised(source: FactSource, told: Iterable[Fact]) -> Iterator[ClaimPair]:
    """A pair for each error class of the code that a story says is raised, and that no function raises, makes or
    inherits from; of other errors (the standard library's, say) it cannot be known who raises them."""
    claims = [(fact, claim) for fact in told for claim in fact.aspects.get("claims", ()) if _is_firm(claim)]
    if not claims:
        return
    wanted = {_last(claim["value"]) for _, claim in claims}
    classes: dict[str, list[Fact]] = {}
    for fact in source.facts(tag=Tag.CODE, kinds={Kind.CLASS}):
        if (name := _last(fact.key)) in wanted:
            classes.setdefault(name, []).append(fact)
    used = _used(source, wanted & classes.keys())
    for holder, claim in claims:
        name = _last(claim["value"])
        found = classes.get(name, [])
        if len(found) == 1 and name not in used:
            target = Candidate(found[0], INFERRED)
            stated = Stated(f"raises.{name}", None, False)
            yield claim_pair(claim, stated, "nobody who raises it", target, holder, CODE)


def _is_firm(claim: Json) -> bool:
    return bool(claim["kind"] == "raises" and not claim.get("negated") and claim["modality"] == "must")


def _used(source: FactSource, names: set[str]) -> set[str]:
    """Those of these names that some function raises or calls, or some class inherits."""
    if not names:
        return set()
    verbs = {Verb.RAISES, Verb.CALLS, Verb.INHERITS}
    used = {_last(relation.second) for relation in source.relations(verbs)}
    for fact in source.facts(kinds={Kind.FUNCTION}):
        used.update(_last(str(raised)) for raised, _ in fact.aspects.get("raises", ()))
    return used & names


def _last(name: str) -> str:
    return name.rpartition(":")[2].rpartition(".")[2]
