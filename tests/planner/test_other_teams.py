"""Sentences and steps as other teams write them: codes, persons, states as nouns, bounds and orders as requirements."""

from __future__ import annotations

from typing import Any

import pytest

from graph.facts import Fact, Kind, Tag
from graph.source import Memory
from planner.cases import Technique
from planner.contracts.codes import codes_in, in_words, without_codes
from planner.contracts.lifecycles import acts_before, lifecycle_of, subject_of
from planner.contracts.operations import State
from planner.stories.acting import Acting
from planner.stories.carriers import carriers
from planner.stories.criteria import Criteria
from planner.stories.plain import plainly
from planner.stories.relative import alternatives, states_ahead
from tests.engine.twins.proving import of_contract, prove, source_of

POLLS = """\
openapi: 3.0.3
info: {title: Polls, version: '1'}
paths:
  /polls:
    post:
      operationId: createPoll
      summary: Create a draft
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [question],
        properties: {question: {type: string, minLength: 5, maxLength: 140}, max_votes: {type: integer, minimum: 1,
        default: 3}}}}}}
      responses:
        '201': {description: The new draft, content: {application/json: {schema: &poll {type: object,
          required: [id, question, status, max_votes, voters], properties: {id: {type: integer},
          question: {type: string}, status: {type: string, enum: [draft, open, closed]},
          max_votes: {type: integer}, voters: {type: integer}}}}}}
        '409': {description: The question is asked already (`QUESTION_TAKEN`)}
        '422': {description: Invalid data}
    get:
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: *poll}}}}}
  /polls/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *poll}}},
      '404': {description: No such poll}}}
    patch:
      operationId: editPoll
      summary: Edit a poll
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {
        question: {type: string}, max_votes: {type: integer}}}}}}
      responses: {'200': {description: Edited, content: {application/json: {schema: *poll}}},
        '409': {description: The poll is not a draft any more (`POLL_NOT_DRAFT`)}}
  /polls/{id}/publish:
    parameters: [*id]
    post: {operationId: publishPoll, summary: Publish a draft, responses: {'200': {description: "The poll, open",
      content: {application/json: {schema: *poll}}}, '409': {description: Not a draft (`POLL_NOT_DRAFT`)}}}
  /polls/{id}/close:
    parameters: [*id]
    post: {operationId: closePoll, summary: Close a poll, responses: {'200': {description: "The poll, closed",
      content: {application/json: {schema: *poll}}}, '409': {description: The poll is not open (`POLL_NOT_OPEN`)}}}
  /polls/{id}/comments:
    parameters: [*id]
    post:
      operationId: addComment
      summary: Comment on a poll
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [text],
        properties: {text: {type: string}}}}}}
      responses: {'201': {description: The comment, content: {application/json: {schema: &comment {type: object,
        required: [id, text], properties: {id: {type: integer}, text: {type: string}}}}}},
        '409': {description: The poll is a draft (`POLL_IS_DRAFT`)}}
    get: {responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: *comment}}}}}}
"""
MADE, PUBLISHED, COMMENTED = "POST /polls", "POST /polls/{id}/publish", "POST /polls/{id}/comments"
CLOSED, EDITED = "POST /polls/{id}/close", "PATCH /polls/{id}"


def test_codes_are_told_as_words() -> None:
    assert in_words("The pitch is closed (`pitch_closed`)") == "The pitch is closed"
    assert in_words("`hive_retired`, `not_quarantined` or `label_taken`") == (
        "hive is retired, not quarantined or label is taken"
    )
    assert in_words("Not a draft (POLL_NOT_DRAFT)") == "Not a draft"
    assert in_words("`closed_reason` is null again (since v2)") == "closed_reason is null again (since v2)"
    assert codes_in("Not a draft (`POLL_NOT_DRAFT`) or `TOO_MANY`") == {"POLL_NOT_DRAFT", "TOO_MANY"}
    assert without_codes("it is refused with 409 and the code `label_taken`") == "it is refused with 409"
    assert (
        without_codes("refused (409 `POLL_IS_DRAFT`), the list `items`") == "refused (409), the list `items`"
    )


def test_a_kind_of_thing_that_is_a_noun_is_a_state() -> None:
    every = carriers(source_of(POLLS, "polls"))
    by_key = {each.key: each for each in every}
    draft, opened = State("status", "draft"), State("status", "open")
    subject = subject_of(by_key[CLOSED], every)
    assert subject is not None and subject.first() == draft
    assert lifecycle_of(by_key[CLOSED], every).needs == opened
    assert lifecycle_of(by_key[EDITED], every).needs == draft
    assert [state for state, _ in lifecycle_of(by_key[COMMENTED], every).refused] == [draft]


def test_what_is_refused_of_a_new_thing_is_asked_of_one_brought_out_of_that() -> None:
    source = source_of(POLLS, "polls")
    every = carriers(source)
    comment = next(each for each in every if each.key == COMMENTED)
    assert [each.key for each in acts_before(comment, every)] == [PUBLISHED]
    text = prove(source, of_contract(source, COMMENTED, Technique.SUCCESS))
    assert text.index("/publish") < text.index("/comments")
    refused = prove(source, of_contract(source, COMMENTED, Technique.ERROR, "409"))
    assert "/publish" not in refused


@pytest.mark.parametrize(
    ("sentence", "requests"),
    [
        ("Drafts cannot be commented on (409 `POLL_IS_DRAFT`).", [MADE, f"{COMMENTED} 409"]),
        (
            "IF the poll is closed already THEN THE SYSTEM SHALL refuse with 409 `POLL_NOT_OPEN`.",
            [MADE, PUBLISHED, CLOSED, f"{CLOSED} 409"],
        ),
        (
            "WHILE a poll is a draft THE SYSTEM SHALL refuse new comments for it with 409 `POLL_IS_DRAFT`.",
            None,
        ),
        ("WHEN a poll is created THE SYSTEM SHALL show 0 voters.", [f"{MADE} voters:0"]),
        (
            "WHEN the poll closes an open poll THE SYSTEM SHALL set its status to `closed`.",
            None,
        ),
    ],
)
def test_sentences_of_other_teams_stand_for_requests(sentence: str, requests: list[str] | None) -> None:
    assert told(source_of(POLLS, "polls", sentence)) == ([] if requests is None else [requests])


def test_each_of_several_states_is_a_scenario() -> None:
    sentence = (
        "IF a poll is open or closed THEN THE SYSTEM SHALL refuse to edit it with 409 `POLL_NOT_DRAFT`."
    )
    assert told(source_of(POLLS, "polls", sentence)) == [
        [MADE, PUBLISHED, f"{EDITED} 409"],
        [MADE, PUBLISHED, CLOSED, f"{EDITED} 409"],
    ]


@pytest.mark.parametrize(
    ("sentence", "plain"),
    [
        (
            "IF the question is shorter than 5 or longer than 140 characters THEN THE SYSTEM SHALL answer 422.",
            "the question has between 5 and 140 characters",
        ),
        (
            "IF the question is longer than 140 characters THEN THE SYSTEM SHALL refuse with 422 `invalid`.",
            "the question has at most 140 characters",
        ),
        (
            "IF the question is longer than 140 characters THEN THE SYSTEM SHALL cut it.",
            "",
        ),
        (
            "WHEN polls are listed THE SYSTEM SHALL order them by question.",
            "polls are sorted by question",
        ),
        (
            "THE SYSTEM SHALL list the polls ordered by question unless another order is asked for.",
            "polls are sorted by question unless another order is asked for",
        ),
        (
            "WHEN no `max_votes` is given for a new poll THE SYSTEM SHALL set it to 3.",
            "`max_votes` is 3 by default",
        ),
        (
            "WHEN a poll is created without a max_votes THE SYSTEM SHALL use the number 3.",
            "`max_votes` is 3 by default",
        ),
    ],
)
def test_requirements_are_plain_sentences(sentence: str, plain: str) -> None:
    found = plainly(sentence)
    assert (found.text if found is not None else "") == plain


FEATURE = """\
Feature: Polls
  Scenario: A code
    Given a poll "Where do we go?"
    When somebody closes the poll
    Then it is told POLL_NOT_OPEN
  Scenario: A limit
    When I create a poll "Where do we go?" with at most 5 votes
    Then the max votes is 5
  Scenario: A change
    Given a poll "Where do we go?"
    When its question is changed to "Where do we stay?"
    Then the question is "Where do we stay?" and everybody is glad
  Scenario: Many
    Given a poll "Where do we go?" with 2 polls
    When I publish the poll
    Then the poll is "open"
"""


def test_steps_of_other_teams_stand_for_requests() -> None:
    source = source_of(POLLS, "polls", feature=FEATURE)
    found = {fact.name: told_of(source, fact) for fact in source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION})}
    assert found == {
        "A code": [[MADE, f"{CLOSED} 409"]],
        "A limit": [[f"{MADE} max_votes:5"]],
        "A change": [[MADE, f"{EDITED} question:Where do we stay?"]],
        "Many": [],
    }


def test_states_are_put_in_front_of_their_things() -> None:
    every = Criteria(source_of(POLLS, "polls"))
    acting = Acting(every.things, every.operations)
    assert states_ahead("A poll that is closed cannot be edited", acting) == "A closed poll cannot be edited"
    assert states_ahead("A draft can be edited", acting) == "A draft poll can be edited"
    assert (
        states_ahead("A poll that is open or closed is seen", acting)
        == "A poll that is open or closed is seen"
    )
    assert alternatives("an open or closed poll", acting) == ["an open poll", "an closed poll"]
    assert alternatives("an open or empty poll", acting) == ["an open or empty poll"]


def told(source: Memory) -> list[list[str]]:
    """The requests that the last criterion stands for."""
    return told_of(source, list(source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION}))[-1])


def told_of(source: Memory, fact: Fact) -> list[list[str]]:
    """The requests for which a criterion stands, each with what is told of its answer."""
    found = [each for each in Criteria(source).behaviours(fact) if each.like == "told"]
    return [
        [_shown(each) for each in one.target["exchanges"]] for one in found if not one.target.get("refuses")
    ]


def _shown(exchange: dict[str, Any]) -> str:
    values = [f"{name}:{value}" for each in exchange["answer"] for name, value in each.items()]
    return " ".join(filter(None, (exchange["method"], exchange["path"], exchange["status"], *values)))
