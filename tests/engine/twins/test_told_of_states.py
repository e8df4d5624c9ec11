"""What stories say of how things stand, and of what requests change: each sentence is a test that twins prove."""

from __future__ import annotations

import pytest

from engine.generators.operations.stage import Stage
from engine.generators.stories.completing import renamed
from engine.generators.stories.criterion import CriterionGenerator
from engine.twins.criterion_mutations import told_mutations
from engine.twins.http import Twin
from engine.twins.mutations import mutations
from engine.twins.replies import VARIANTS
from graph.facts import Extract, Fact, Json, Kind, Location, Tag
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from ingest.stories.reader import StoryReader
from planner.cases import Case
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Draft
from planner.stories.asked import asked_by
from planner.stories.cases import story_cases
from planner.stories.criteria import Criteria
from planner.stories.exchanges import Exchange
from planner.stories.promises import promised
from planner.stories.told_facts import told_facts
from tests.engine.generators.performing import performed

CONTRACT = """\
openapi: 3.1.0
info: {title: Desk, version: '1'}
paths:
  /tickets:
    post:
      operationId: openTicket
      summary: Open a ticket
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [subject, text],
        properties: {subject: {type: string}, text: {type: string}, priority: &priority {type: string,
        enum: [low, normal, urgent], default: normal}}}}}}
      responses:
        '201': {description: 'The ticket, which is open.', content: {application/json: {schema: &ticket {type: object,
          required: [id, subject, text, priority, status, seats, remark_count, closed_at],
          properties: {id: {type: integer}, subject: {type: string}, text: {type: string}, priority: *priority,
          status: {type: string, enum: [closed, open]}, seats: {type: integer}, remark_count: {type: integer},
          closed_at: {type: [string, 'null'], format: date-time}}}}}}
        '422': &bad {description: Not valid}
  /tickets/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *ticket}}},
      '404': &none {description: None}}}
    patch:
      operationId: changeTicket
      requestBody: {required: true, content: {application/json: {schema: {type: object,
        properties: {subject: {type: string}}}}}}
      responses: {'200': {description: Changed, content: {application/json: {schema: *ticket}}},
        '409': &conflict {description: Conflict}, '404': *none}
    delete: {operationId: deleteTicket, responses: {'204': {description: Gone}, '404': *none}}
  /tickets/{id}/close:
    parameters: [*id]
    post: {operationId: closeTicket, summary: Close a ticket, responses: {'200': {
      description: 'The ticket, now closed.', content: {application/json: {schema: *ticket}}}, '404': *none,
      '409': {description: It is closed already}}}
  /tickets/{id}/reopen:
    parameters: [*id]
    post: {operationId: reopenTicket, responses: {'200': {description: 'The ticket, open again.',
      content: {application/json: {schema: *ticket}}}, '404': *none, '409': {description: The ticket is not closed.}}}
  /tickets/{id}/remarks:
    parameters: [*id]
    get: {responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: &remark {
      type: object, required: [id, text], properties: {id: {type: integer}, text: {type: string}}}}}}}, '404': *none}}
    post:
      operationId: addRemark
      summary: Remark on a ticket
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [text],
        properties: {text: {type: string}}}}}}
      responses: {'201': {description: Added, content: {application/json: {schema: *remark}}}, '404': *none,
        '409': *conflict}
  /tickets/{id}/bookings:
    parameters: [*id]
    post:
      operationId: book
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [amount],
        properties: {amount: {type: integer}}}}}}
      responses: {'201': {description: Booked, content: {application/json: {schema: {type: object,
        required: [id, amount], properties: {id: {type: string, format: uuid}, amount: {type: integer}}}}}},
        '404': *none}
  /bookings/{booking_id}:
    delete:
      parameters: [{name: booking_id, in: path, required: true, schema: {type: string, format: uuid}}]
      responses: {'204': {description: Cancelled}, '404': *none}
"""
API = OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root=""))
CLOSE, REOPEN, REMARK = (
    "POST /tickets/{id}/close",
    "POST /tickets/{id}/reopen",
    "POST /tickets/{id}/remarks",
)
BOOK, UNBOOK, OPEN = "POST /tickets/{id}/bookings", "DELETE /bookings/{booking_id}", "POST /tickets"


def source_of(sentence: str) -> Memory:
    text = f"# D-1: Tickets\n\nAs a customer I want tickets.\n\n## Acceptance criteria\n\n- {sentence}\n"
    return Memory([API, StoryReader().read(Document(path="a.md", role=Role.STORY, text=text, root=""))])


def proven(source: Memory) -> list[Case]:
    """The cases of the one criterion of a source, each of which has a test that twins prove."""
    cases, plain = [each for each in story_cases(source) if each.target.get("like")], read_operations(source)
    whole = tuple(promised(plain, cases))
    by_key = {each.key: each for each in whole}
    for case in cases:
        draft = CriterionGenerator().generate(
            case, Context(source=source, application=Application("", "app:app"))
        )
        assert isinstance(draft, Draft), draft
        run, operation = performed(draft), by_key[str(case.target["operation"])]
        told: tuple[Exchange, ...] = ()
        broken = list(mutations(case, operation, by_key.get(str(case.target.get("read")))))
        if case.target["like"] == "told":
            criterion = told_facts(source)[str(case.target["criterion"])]
            asked = renamed(asked_by(case, criterion, plain), Stage(plain).of(case.id))
            told = tuple(each.exchange for each in asked)
            broken += told_mutations(told, operation)
        for variant in VARIANTS:
            run(Twin(whole, variant, exchanges=told))
        assert broken
        for mutation in broken:
            with pytest.raises((AssertionError, KeyError)):
                run(Twin(whole, VARIANTS[0], mutation, told))
    return cases


@pytest.mark.parametrize(
    ("sentence", "like", "operations"),
    [
        ("A closed ticket cannot be changed (409).", "standing", ["PATCH /tickets/{id}"]),
        ("A ticket that is closed already cannot be closed again (409).", "standing", [CLOSE]),
        ("A closed ticket takes no remarks: the answer is 409.", "standing", [REMARK]),
        ("Only a closed ticket can be reopened; otherwise the answer is 409.", "standing", [REOPEN]),
        ("Closing a ticket sets `closed_at`.", "starts", [CLOSE]),
        ("After reopening, the ticket is open and `closed_at` is null.", "starts", [REOPEN, REOPEN]),
        ("Each remark raises `remark_count` by one.", "moves", [REMARK]),
        ("A booking lowers `seats` by its amount and leaves `remark_count` as it is.", "moves", [BOOK]),
        ("A booking takes its amount from the seats.", "moves", [BOOK]),
        ("Cancelling a booking makes its seats available again.", "", []),
        ("Cancelling a booking makes its amount seats again.", "undoes", [UNBOOK]),
        ("Deleting a ticket deletes its remarks.", "gone", ["DELETE /tickets/{id}"]),
        ("A ticket without a text is refused with 422.", "required", [OPEN]),
        ("If no priority is given, it is normal.", "starts", [OPEN]),
        ("Remarks are listed in the order in which they were written.", "order", [REMARK]),
        ("A booking lowers `seats` by its amount and sends a mail.", "", []),
        ("A closed ticket cannot be changed unless an agent asks.", "", []),
        ("Each remark raises `remark_count` by its length.", "", []),
        ("Closing a ticket sets its `colour`.", "", []),
    ],
)
def test_a_sentence_is_a_test(sentence: str, like: str, operations: list[str]) -> None:
    source = source_of(sentence)
    found = proven(source)
    assert [case.target["operation"] for case in found] == operations
    assert {case.target["like"] for case in found} == ({like} if like else set())


def scenario(given: str, when: str, then: str) -> Memory:
    steps: dict[str, Json] = {
        "given": given.split("; ") if given else [],
        "when": [when],
        "then": then.split("; "),
    }
    place = Location("a.feature", 1, 1)
    told = {**steps, "text": f"{given} {when} {then}"}
    fact = Fact(tag=Tag.SPEC, kind=Kind.CRITERION, key="F.1", name="", source=place, aspects=told)

    return Memory([API, Extract(facts=[fact])])


@pytest.mark.parametrize(
    ("given", "when", "then"),
    [
        ('I am logged in as "kim@example.com"', 'I open a ticket "No sound"', 'its subject is "No sound"'),
        ("an authenticated user; a closed ticket", "I close it again", "I get a 409"),
        ("an open ticket", "I close the ticket", 'its status is "closed"'),
        ("a closed ticket", 'I remark "Once more"', "the answer is 409"),
        ('I opened a ticket "No sound"', 'I remark "Turn it on"', "the ticket has 1 remark"),
        ("an open ticket", "a booking of 2 arrives", "the answer is 201"),
    ],
)
def test_a_scenario_may_tell_how_things_stand(given: str, when: str, then: str) -> None:
    assert [case.target["like"] for case in proven(scenario(given, when, then))]


@pytest.mark.parametrize(
    ("given", "when", "then"),
    [
        ("I am logged in as an admin", "I close the ticket", "the answer is 200"),
        ('I am logged in as "Kim"', 'I open a ticket "Kim\'s"', 'its subject is "Kim"'),
        ("a broken ticket", "I close the ticket", "the answer is 200"),
    ],
)
def test_who_asks_and_what_nothing_brings_about_is_left_to_a_person(given: str, when: str, then: str) -> None:
    source = scenario(given, when, then)
    criteria = Criteria(source)
    assert not [
        each for fact in criteria.facts.values() for each in criteria.behaviours(fact) if each.like == "told"
    ]
