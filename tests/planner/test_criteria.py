"""What criteria and scenarios claim of operations, read against a contract."""

from __future__ import annotations

from graph.facts import Extract, Fact, Json, Kind, Tag
from graph.source import Memory
from ingest.gherkin_features import GherkinReader
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from ingest.python.tests import PythonTestReader
from ingest.stories.reader import StoryReader
from planner.stories.cases import story_cases
from planner.stories.criteria import Criteria

CONTRACT = """\
openapi: 3.1.0
info: {title: Tickets, version: '1'}
paths:
  /tickets:
    get:
      parameters: [{name: closed, in: query, schema: {type: boolean}}]
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: &ticket {
        type: object, required: [id, subject, closed, priority], properties: {id: {type: integer},
        subject: {type: string}, closed: {type: boolean}, priority: {type: string, enum: [low, high]}}}}}}}}
    post:
      security: [{key: []}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [subject],
        properties: {subject: {type: string, minLength: 1}, note: {type: string}}}}}}
      responses:
        '201': {description: Made, content: {application/json: {schema: *ticket}}}
        '409': {description: There is one with this subject already}
  /tickets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      responses:
        '200': {description: One, content: {application/json: {schema: *ticket}}}
        '404': {description: No}
    patch:
      requestBody: {content: {application/json: {schema: {type: object, properties: {closed: {type: boolean}}}}}}
      responses: {'200': {description: Changed, content: {application/json: {schema: *ticket}}}}
    delete: {responses: {'204': {description: Gone}, '404': {description: No}}}
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
"""
STORIES = """\
# Tickets

## US-1: Report a fault

As a tenant, I want to write a ticket, so that somebody comes.

- AC-1: {}
"""
FEATURE = """\
Feature: Closing

  Scenario: Close one
    Given there is a ticket "No light"
    When {}
    Then {}
"""


def extracts(text: str) -> list[Extract]:
    contract = Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root="")
    if text.startswith("Feature"):
        told = GherkinReader().read(Document(path="a.feature", role=Role.FEATURE, text=text, root=""))
    else:
        told = StoryReader().read(Document(path="stories.md", role=Role.STORY, text=text, root=""))
    return [OpenApiReader().read(contract), told]


def read(text: str) -> tuple[list[tuple[str, object]], str]:
    """What is derived, as sort and the place, field, status or operation; and what is missing."""
    source = Memory(extracts(text))
    criteria = Criteria(source)
    facts: list[Fact] = list(source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION}))
    assert len(facts) == 1
    found = criteria.behaviours(facts[0])
    keys = ("place", "field", "status", "operation")
    return [
        (b.like, next(b.target[key] for key in keys if key in b.target)) for b in found
    ], criteria.missing(facts[0])


def said(sentence: str) -> list[tuple[str, object]]:
    return read(STORIES.format(sentence))[0]


def test_what_a_new_thing_is() -> None:
    assert said("A new ticket is not closed.") == [("starts", "closed")]
    assert said("A new ticket starts as low.") == [("starts", "priority")]
    assert said("A new ticket shall have the priority `low`.") == [("starts", "priority")]


def test_bounds_of_a_field() -> None:
    assert said("The subject of a ticket must have at least 3 characters.") == [("bound", "body.subject")]


def test_what_may_be_left_out_and_what_may_not() -> None:
    assert said("A ticket may have a note.") == [("optional", "body.note")]
    assert said("The subject of a ticket is required.") == [("required", "body.subject")]


def test_answers_under_their_conditions() -> None:
    assert said("A ticket that was deleted is answered with 404.") == [("gone", "DELETE /tickets/{id}")]
    assert said("A ticket that does not exist is answered with 404.") == [("missing", "404")]
    assert said("Each subject of a ticket is unique.") == [("again", "409")]


def test_lists_their_order_and_what_narrows_them() -> None:
    assert said("The newest ticket comes first.") == [("order", "POST /tickets")]
    assert said("I can see only the tickets that are closed.") == [("filter", "query.closed")]


def test_words_of_any_sentence_and_counted_things_narrow_and_bound_nothing() -> None:
    paged = CONTRACT.replace(
        "{name: closed, in: query, schema: {type: boolean}}",
        "{name: page, in: query, schema: "
        "{type: integer}}, {name: priority, in: query, schema: {type: string, enum: [low, other]}}",
    ).replace("note: {type: string}", "priority: {type: string, enum: [low, other]}")
    source = Memory(
        [
            OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=paged, root="")),
            StoryReader().read(
                Document(
                    path="stories.md",
                    role=Role.STORY,
                    text=STORIES.format(
                        "A page has at most 20 tickets.\n- AC-2: Only low tickets are listed to others.\n"
                        "- AC-3: Staff see tickets of others."
                    ),
                    root="",
                )
            ),
        ]
    )
    criteria = Criteria(source)
    found = {fact.key: criteria.behaviours(fact) for fact in source.facts(kinds={Kind.CRITERION})}
    assert found["AC-1"] == []
    assert [(each.like, each.target.get("place")) for each in found["AC-2"]] == [("filter", "query.priority")]
    assert found["AC-3"] == []


def test_a_flag_that_can_be_set_and_taken_back() -> None:
    assert said("A ticket can be closed, and be opened again.") == [("toggled", "closed")]


def test_only_some_may() -> None:
    assert said("Only staff may write a ticket.") == [("auth", "POST /tickets")]


def test_where_nothing_can_be_derived_the_missing_piece_is_told() -> None:
    found, missing = read(STORIES.format("Tickets of friends cost nothing."))

    assert found == []
    assert missing.startswith("what can be sent and seen to check “Tickets of friends cost nothing.”")


def test_a_scenario_is_a_chain_of_requests() -> None:
    assert read(FEATURE.format('I say that "No light" is closed', 'the list has "No light"'))[0] == [
        ("scenario", "PATCH /tickets/{id}")
    ]
    assert read(FEATURE.format('I delete "No light"', "asking for it is answered with 404"))[0] == [
        ("scenario", "DELETE /tickets/{id}")
    ]


def test_a_step_that_cannot_be_read_is_told() -> None:
    found, missing = read(FEATURE.format('I paint "No light"', "asking for it is answered with 404"))

    assert found == []
    assert missing == 'which operation does “I paint the ticket "No light"”'


STEPS = """\
from behave import given, then, when

@given('there is a ticket "{title}"')
@when("it is closed")
def step(context): ...
"""
LAST = """
@then("it shines")
def shines(context): ...
"""


def planned(steps: str) -> list[str]:
    feature = extracts(FEATURE.format("it is closed", "it shines"))
    code = PythonTestReader().read(Document(path="features/steps/tickets.py", role=Role.TEST, text=steps))
    return [case.description for case in story_cases(Memory([*feature, code]))]


def test_that_the_service_runs_is_no_step() -> None:
    running = FEATURE.replace("Given there", "Given the ticket service is up and running\n    And there")
    found, _ = read(running.format('I delete "No light"', "asking for it is answered with 404"))
    assert found == [("scenario", "DELETE /tickets/{id}")]
    _, missing = read(
        running.replace("is up and ", "").format('I delete "No light"', "asking for it gives 404")
    )
    assert missing == "which operation does “the ticket service running”"


def test_a_scenario_that_the_project_runs_by_itself_needs_no_test() -> None:
    assert planned(STEPS) == ["closing.1: Close one"]
    assert planned(STEPS + LAST) == []


SENT = """\
Feature: Reporting
  {}

  Scenario: Taken
    When the client POSTs `{{"subject": "No light"}}`
    Then the response status is 201
"""


def likes(text: str) -> list[str]:
    return [str(each.target.get("like")) for each in story_cases(Memory(extracts(text)))]


def test_what_a_scenario_sends_goes_to_the_one_operation_that_its_feature_names() -> None:
    assert likes(SENT.format("A fault is reported by `POST /tickets`.")) == ["told"]
    assert likes(SENT.format("A fault is reported.").replace("Reporting", "POST /tickets")) == ["told"]


def test_what_a_scenario_sends_waits_where_its_feature_names_none_or_two() -> None:
    assert likes(SENT.format("A fault is reported.")) == ["None"]
    assert likes(SENT.format("By POST /tickets or by POST /faults.")) == ["None"]


def test_what_a_criterion_says_that_a_thing_is_made_with_is_what_it_is_made_with() -> None:
    more = CONTRACT.replace(
        "note: {type: string}", "note: {type: string}, max_visits: {type: integer}"
    ).replace(
        "components:",
        """  /tickets/{id}/visits:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    post:
      operationId: visit_ticket
      responses: {'201': {description: Noted}, '409': {description: No}, '410': {description: Removed}}
components:""",
    )

    def claimed(text: str) -> list[Json]:
        story = Document(path="s.md", role=Role.STORY, text=STORIES.format(text), root="")
        contract = Document(path="api.yaml", role=Role.CONTRACT, text=more, root="")
        source = Memory([StoryReader().read(story), OpenApiReader().read(contract)])
        criteria = Criteria(source)
        (fact,) = [each for each in criteria.facts.values() if each.kind is Kind.CRITERION]
        return [each.target for each in criteria.behaviours(fact)]

    (target,) = claimed(
        "A ticket with `max_visits` 1 can only be visited once; the second visit returns 409."
    )
    assert target["operation"] == "POST /tickets/{id}/visits"
    assert target["given"] == {"max_visits": 1}
    assert target["maker"] == "POST /tickets"
    assert (
        claimed("A ticket with few `max_visits` can only be visited once; the second visit returns 409.")
        == []
    )
    assert claimed("Visiting a removed ticket returns 410.") == []
