"""The test cases that stories ask for: one for each behaviour that a criterion or scenario claims."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.link.stories.step_definitions import runnable
from graph.facts import Fact, Json, Kind, Tag
from graph.source import FactSource
from planner.cases import Case, Layer, Technique
from planner.identity import case_id
from planner.stories.criteria import Criteria


def story_cases(source: FactSource) -> Iterator[Case]:
    """The cases of all criteria, in the order of their ids; a scenario with a When is L3, a sentence L2.

    A criterion of which no behaviour can be derived has one case, which needs a person; a scenario whose steps are
    all defined has none, because the project runs it by itself.
    """
    if not any(True for _ in source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION})):
        return
    criteria, running = Criteria(source), runnable(source)
    for fact in (each for each in criteria.facts.values() if each.kind is Kind.CRITERION):
        if fact.id in running:
            continue
        found = criteria.behaviours(fact)
        if not found:
            yield _case(fact, {"criterion": fact.id}, ())
        for each in found:
            yield _case(fact, {"criterion": fact.id, "like": each.like, **each.target}, each.cites)


def _case(fact: Fact, target: dict[str, Json], cites: tuple[str, ...]) -> Case:
    words = str(fact.aspects.get("title") or fact.aspects.get("text") or fact.name).splitlines()[0]
    words += " (in part)" if target.get("unseen") else ""
    return Case(
        id=case_id(fact.key, Technique.CRITERION, target),
        description=f"{fact.key}: {words}",
        subject=f"criterion {fact.key}",
        aspect="claims",
        technique=Technique.CRITERION,
        layer=Layer.END_TO_END if fact.aspects.get("when") else Layer.INTEGRATION,
        cites=(fact.id, *cites),
        target=target,
    )
