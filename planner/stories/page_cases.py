"""The test cases that pages ask for: one for each request that they show with its answer."""

from __future__ import annotations

import json
from collections.abc import Iterator

from graph.facts import Fact, Json, Kind, Tag
from graph.source import FactSource
from planner.cases import Case, Layer, Technique
from planner.identity import case_id
from planner.stories.asked import told_behaviours
from planner.stories.behaviours import Behaviour
from planner.stories.carriers import carriers
from planner.stories.conversations import exchanges_in

_LONGEST = 60


def page_cases(source: FactSource) -> Iterator[Case]:
    """The cases of all pages, in the order of what they show; none where no contract has the request."""
    pages = [fact for fact in source.facts(tag=Tag.SPEC, kinds={Kind.PAGE}) if fact.aspects.get("requests")]
    operations = carriers(source) if pages else []
    for page in pages:
        for each in told_behaviours(page, operations):
            yield _case(page, each)


def _case(page: Fact, told: Behaviour) -> Case:
    target: dict[str, Json] = {"criterion": page.id, "like": told.like, **told.target}
    operation = str(target["operation"])
    return Case(
        id=case_id(operation, Technique.CRITERION, target),
        description=f"{page.name} shows {_words(page, int(target.get('row', 0)))}",
        subject=operation,
        aspect="responses",
        technique=Technique.CRITERION,
        layer=Layer.INTEGRATION,
        cites=(page.id, *told.cites),
        target=target,
    )


def _words(page: Fact, row: int) -> str:
    """What a page shows, as words: `that POST /todos with {"title": "Milk"} is answered with 201`."""
    shown = exchanges_in(page, row)[-1]
    body = json.dumps(shown.body, ensure_ascii=False) if shown.body is not None else ""
    sent = f" with {body}" if body and len(body) <= _LONGEST else ""
    told = f"{shown.method} {shown.path}{sent} is answered"
    return f"that {told} with {shown.status}" if shown.status else f"how {told}"
