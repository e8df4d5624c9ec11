"""The record of a case about a law that no spec states in so many words."""

from __future__ import annotations

from graph.facts import Fact, Json
from planner.cases import Case, Layer, Technique
from planner.identity import case_id


def law_case(
    fact: Fact, law: str, description: str, more: dict[str, Json], cites: tuple[str, ...] = ()
) -> Case:
    """The case of one law about a function or class; it cites these facts, or the one that it is about."""
    target: dict[str, Json] = {"function": fact.id, "law": law, **more}
    return Case(
        id=case_id(fact.key, Technique.PROPERTY, target),
        description=description,
        subject=f"{fact.kind} {fact.key}",
        aspect="returns",
        technique=Technique.PROPERTY,
        layer=Layer.UNIT,
        cites=cites or (fact.id,),
        target=target,
    )
