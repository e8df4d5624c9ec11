"""The test cases that stories ask for: one for each criterion and scenario."""

from __future__ import annotations

from collections.abc import Iterator

from graph.facts import Kind, Tag
from graph.source import FactSource
from planner.cases import Case, Layer, Technique
from planner.identity import case_id


def story_cases(source: FactSource) -> Iterator[Case]:
    """The cases of all criteria, in the order of their ids; a scenario with a When is L3, a sentence L2."""
    for fact in source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION}):
        words = str(fact.aspects.get("title") or fact.aspects.get("text") or fact.name).splitlines()[0]
        target = {"criterion": fact.id}
        yield Case(
            id=case_id(fact.key, Technique.CRITERION, target),
            description=f"{fact.key}: {words}",
            subject=f"criterion {fact.key}",
            aspect="claims",
            technique=Technique.CRITERION,
            layer=Layer.END_TO_END if fact.aspects.get("when") else Layer.INTEGRATION,
            cites=(fact.id,),
            target=target,
        )
