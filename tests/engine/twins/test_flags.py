"""Flags as states: what acts set and unset (`on_leave`, `archived`), and what is refused of what stands so."""

from __future__ import annotations

from typing import Any

import pytest

from graph.facts import Kind, Tag
from planner.cases import Technique
from planner.contracts.lifecycles import brought_about
from planner.contracts.operations import State
from planner.stories.carriers import carriers
from planner.stories.criteria import Criteria
from tests.engine.twins.proving import of_contract, of_stories, prove, source_of

CLINIC = """\
openapi: 3.1.0
info: {title: Clinic, version: '1'}
paths:
  /doctors:
    post:
      summary: Add a doctor
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name],
        properties: {name: {type: string}}}}}}
      responses: {'201': {description: Added, content: {application/json: {schema: &doctor {type: object,
        required: [id, name, on_leave, is_verified], properties: {id: {type: integer}, name: {type: string},
        on_leave: {type: boolean}, is_verified: {type: boolean}}}}}}}
  /doctors/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *doctor}}}}}
  /doctors/{id}/leave:
    parameters: [*id]
    post: {summary: Send a doctor on leave, responses: {'200': {description: Sent, content: {application/json: {
      schema: *doctor}}}, '409': {description: The doctor is on leave}}}
    delete: {summary: End the leave of a doctor, responses: {'200': {description: Back, content: {application/json: {
      schema: *doctor}}}, '409': {description: The doctor is not on leave}}}
  /doctors/{id}/verify:
    parameters: [*id]
    post: {summary: Verify a doctor, responses: {'200': {description: Done, content: {application/json: {
      schema: *doctor}}}, '409': {description: The doctor is verified}}}
  /doctors/{id}/visits:
    parameters: [*id]
    post: {summary: Book a visit, requestBody: {content: {application/json: {schema: {type: object, properties: {
      note: {type: string}}}}}}, responses: {'201': {description: Booked, content: {application/json: {schema: {
      type: object, required: [id], properties: {id: {type: integer}}}}}}, '409': {description: Not possible}}}
    get: {responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {type: object,
      required: [id], properties: {id: {type: integer}}}}}}}}}
"""
FRESH = "A new doctor is not on leave."
ADDED, VERIFIED = "POST /doctors", "POST /doctors/{id}/verify"
SENT, ENDED = "POST /doctors/{id}/leave", "DELETE /doctors/{id}/leave"


def test_the_ends_of_paths_say_what_flags_they_set_and_unset() -> None:
    every = carriers(source_of(CLINIC, "doctors", FRESH))
    found = {
        each.key: brought_about(each, every)
        for each in every
        if each.path.count("/") == 3 and each.method != "GET"
    }
    assert found == {
        SENT: State("on_leave", True),
        ENDED: State("on_leave", False),
        "POST /doctors/{id}/verify": State("is_verified", True),
        "POST /doctors/{id}/visits": None,
    }


def test_a_flag_that_an_act_unsets_is_set_before_and_read_afterwards() -> None:
    source = source_of(CLINIC, "doctors", FRESH)
    text = prove(source, of_contract(source, ENDED, Technique.READ_BACK))
    assert text.index("client.post") < text.index("/leave") < text.index("client.delete")
    assert 'assert response.json().get("on_leave") is False' in text


@pytest.mark.parametrize(("key", "first"), [(SENT, "client.post"), (ENDED, "client.delete")])
def test_conflicts_of_flags_are_met_with_what_stands_so(key: str, first: str) -> None:
    source = source_of(CLINIC, "doctors", FRESH)
    text = prove(source, of_contract(source, key, Technique.ERROR, "409"))
    assert text.rpartition("client.")[0].count("/leave") == (1 if key == SENT else 0)
    assert f"response = {first}" in text


@pytest.mark.parametrize(
    ("sentence", "requests"),
    [
        ("A doctor who is on leave cannot be sent on leave again (409).", [ADDED, SENT, f"{SENT} 409"]),
        ("Ending the leave of a doctor who is not on leave is answered with 409.", [ADDED, f"{ENDED} 409"]),
        (
            "No visits can be booked with a doctor on leave (409).",
            [ADDED, SENT, "POST /doctors/{id}/visits 409"],
        ),
        (
            "When a doctor goes on leave, its `on_leave` is true.",
            [ADDED, f"{SENT} on_leave:True"],
        ),
        ("When a doctor is verified, it is verified.", [ADDED, f"{VERIFIED} is_verified:True"]),
        ("A doctor who is ill cannot be sent on leave (409).", None),
    ],
)
def test_sentences_speak_of_flags_as_of_states(sentence: str, requests: list[str] | None) -> None:
    source = source_of(CLINIC, "doctors", FRESH, sentence)
    facts = list(source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION}))
    found = [each for each in Criteria(source).behaviours(facts[-1]) if each.like == "told"]
    told = [[_shown(each) for each in one.target["exchanges"]] for one in found[:1]]
    assert told == ([] if requests is None else [requests])


def _shown(exchange: dict[str, Any]) -> str:
    told = [f"{name}:{value}" for each in exchange["answer"] for name, value in each.items()]
    return " ".join(filter(None, (exchange["method"], exchange["path"], exchange["status"], *told)))


def test_scenarios_speak_of_flags() -> None:
    feature = """\
Feature: Leave
  Scenario: Away
    Given a doctor on leave
    When I end the leave of the doctor
    Then the doctor is no longer on leave
  Scenario: Twice
    Given a doctor that is verified
    When I verify the doctor
    Then it is refused with 409
"""
    source = source_of(CLINIC, "doctors", FRESH, feature=feature)
    cases = [each for each in of_stories(source) if each.target["like"] == "told"]
    assert [each.target["operation"] for each in cases] == [ENDED, "POST /doctors/{id}/verify"]
    asked = [[_shown(each) for each in case.target["exchanges"]] for case in cases]
    assert asked == [[ADDED, SENT, f"{ENDED} on_leave:False"], [ADDED, VERIFIED, f"{VERIFIED} 409"]]
