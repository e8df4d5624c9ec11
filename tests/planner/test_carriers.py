"""Tests of stories without a contract: they say what is asked and answered, and the code that there is such a route."""

from __future__ import annotations

import pytest

from engine.generators.stories.criterion import CriterionGenerator
from engine.twins.criterion_mutations import told_mutations
from engine.twins.http import Twin
from engine.twins.replies import VARIANTS
from graph.facts import Extract, Fact, Kind, Location, Tag
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.stories.reader import StoryReader
from planner.generator import Application, Context, Declined, Draft
from planner.stories.asked import asked_of
from planner.stories.carriers import carriers
from planner.stories.cases import story_cases
from planner.stories.conversations import exchanges_in

ROUTES = (
    "GET /heroes",
    "POST /heroes",
    "GET /heroes/{hero_id}",
    "DELETE /heroes/{hero_id}",
    "GET /users/@me/~drafts",
)


def _source(criterion: str) -> Memory:
    text = f"# US-1 Heroes\n\nAs a fan I want to keep heroes.\n\n## Acceptance criteria\n- {criterion}\n"
    page = StoryReader().read(Document(path="heroes.md", role=Role.STORY, text=text, root=""))
    served = [
        Fact(
            kind=Kind.OPERATION,
            tag=Tag.CODE,
            key=key,
            name=key,
            source=Location("app.py", number, number),
            aspects={},
        )
        for number, key in enumerate(ROUTES, 1)
    ]
    return Memory([page, Extract(facts=served)])


def _written(source: Memory) -> Draft | Declined:
    (case,) = story_cases(source)
    assert not any(cited.startswith("code:") for cited in case.cites)
    context = Context(source=source, application=Application("", "app:app"))
    return CriterionGenerator().generate(case, context)


@pytest.mark.parametrize(
    "criterion",
    [
        '`POST /heroes` with `{"name": "Ada"}` is answered with 201, and the answer contains `{"age": 30}`.',
        'After `POST /heroes` with `{"name": "Ada"}` and `DELETE /heroes/{id}`, `GET /heroes/{id}` fails with 404.',
        "`GET /heroes?name=x` is answered with 200 and `[]`.",
    ],
)
def test_what_a_story_tells_is_asked_by_a_route_of_the_code_and_proven_on_twins(criterion: str) -> None:
    source = _source(criterion)
    draft = _written(source)
    assert isinstance(draft, Draft), draft
    assert "(heroes.md:6)" in draft.source
    names: dict[str, object] = {}
    exec(draft.source.split("\n", 1)[1], names)  # noqa: S102 - the test that was just written
    test = names[draft.name]
    assert callable(test)
    operations = carriers(source)
    (fact,) = source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION})
    asked = asked_of(exchanges_in(fact), operations)
    exchanges = tuple(each.exchange for each in asked)
    for variant in VARIANTS:
        test(Twin(tuple(operations), variant, None, exchanges))
    for mutation in told_mutations(exchanges, asked[-1].operation):
        with pytest.raises((AssertionError, KeyError)):
            test(Twin(tuple(operations), VARIANTS[0], mutation, exchanges))


def test_a_request_that_the_code_does_not_serve_waits_for_a_person() -> None:
    answer = _written(_source("`GET /villains` is answered with 200."))
    assert isinstance(answer, Declined)
    assert answer.needs == "the operation GET /villains, which the code does not serve"


def test_signs_in_a_path_belong_to_it() -> None:
    (mine,) = [each for each in carriers(_source("Heroes are listed.")) if "@" in each.key]
    assert (mine.method, mine.path) == ("GET", "/users/@me/~drafts")
