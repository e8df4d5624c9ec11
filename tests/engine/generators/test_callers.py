"""Tests of the tests that need a caller: one with a wrong password, and a second one who has made nothing."""

from __future__ import annotations

import inspect
from functools import partial

import pytest

from engine.generators.operations.contract import ContractGenerator
from engine.generators.stories.criterion import CriterionGenerator
from engine.twins.http import Twin
from engine.twins.mutations import mutations
from engine.twins.replies import VARIANTS
from engine.twins.strangers import STRANGER
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from ingest.stories.reader import StoryReader
from planner.cases import Case, Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Declined, Draft
from planner.stories.cases import story_cases
from planner.stories.promises import promised
from tests.engine.generators.performing import performed

CONTRACT = """\
openapi: 3.1.0
info: {title: Notes, version: '1'}
paths:
  /register:
    post:
      requestBody: &account {required: true, content: {application/json: {schema: {type: object,
        required: [email, password], properties: {email: {type: string, format: email},
        password: {type: string, minLength: 8}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id, email],
        properties: {id: {type: integer}, email: {type: string}}}}}}}
  /login:
    post:
      requestBody: *account
      responses:
        '200': {description: In, content: {application/json: {schema: {type: object, required: [access_token],
          properties: {access_token: {type: string}}}}}}
        '401': {description: Wrong password}
  /notes:
    get:
      security: [{token: []}]
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: &note {
        type: object, required: [id, title], properties: {id: {type: integer}, title: {type: string}}}}}}}}
    post:
      security: [{token: []}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title],
        properties: {title: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: *note}}}}
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      security: [{token: []}]
      responses: {'200': {description: One, content: {application/json: {schema: *note}}}, '404': {description: None}}
    delete:
      security: [{token: []}]
      responses: {'204': {description: Gone}, '403': {description: It belongs to another user},
        '404': {description: None}}
components: {securitySchemes: {token: {type: http, scheme: bearer}}}
"""
PAGE = "# US-1: Notes\n\nAs a user, I want notes, so that I remember.\n\n- AC-1: {}\n"
ALONE = CONTRACT.replace("  /register:", "  /tokens-by-mail:")


def source_of(sentence: str, contract: str = CONTRACT) -> Memory:
    api = Document(path="api.yaml", role=Role.CONTRACT, text=contract, root="")
    page = Document(path="notes.md", role=Role.STORY, text=PAGE.replace("{}", sentence), root="")
    return Memory([OpenApiReader().read(api), StoryReader().read(page)])


def is_seen_to_break(case: Case, draft: Draft | Declined, source: Memory) -> None:
    """Whether a test is green on each twin, and red on each that breaks what it cites."""
    assert isinstance(draft, Draft), draft
    operations = promised(read_operations(source), [case])
    test = performed(draft)
    wanted = inspect.signature(test).parameters
    given = {"auth": {"Authorization": "Bearer twin"}, "stranger": {"Authorization": f"Bearer {STRANGER}"}}
    run = partial(test, **{name: each for name, each in given.items() if name in wanted})
    for variant in VARIANTS:
        run(client=Twin(tuple(operations), variant))
    operation = next(each for each in operations if each.key == case.target["operation"])
    broken = list(mutations(case, operation, None))
    assert broken
    for mutation in broken:
        with pytest.raises((AssertionError, KeyError)):
            run(client=Twin(tuple(operations), VARIANTS[0], mutation))


@pytest.mark.parametrize(
    ("sentence", "like", "operation"),
    [
        ("A note of somebody else is answered with 404.", "others", "GET /notes/{id}"),
        ("Reading the notes of other users is answered with 404.", "others", "GET /notes/{id}"),
        (
            "Deleting a note that does not belong to the caller is rejected with 403.",
            "others",
            "DELETE /notes/{id}",
        ),
        ("The list has only one's own notes.", "own", "GET /notes"),
        ("Only notes of the caller are listed.", "own", "GET /notes"),
        ("A wrong password is answered with 401.", "password", "POST /login"),
        ("Incorrect credentials are rejected with 401.", "password", "POST /login"),
        ("The answer never has the password.", "unshown", "POST /register"),
        ("Passwords are never returned in a response.", "unshown", "POST /register"),
    ],
)
def test_what_a_criterion_says_of_callers_is_seen_to_break(sentence: str, like: str, operation: str) -> None:
    source = source_of(sentence)
    (case,) = [each for each in story_cases(source) if each.technique is Technique.CRITERION]
    assert (case.target.get("like"), case.target.get("operation")) == (like, operation)
    context = Context(source=source, application=Application("", "app:app"), options={"auth": "entered"})
    is_seen_to_break(case, CriterionGenerator().generate(case, context), source)


@pytest.mark.parametrize(
    "sentence",
    [
        "A note of somebody is answered with 404.",
        "Other notes are answered with 404.",
        "The list has only notes.",
        "A wrong title is answered with 401.",
        "The answer always has the title.",
    ],
)
def test_what_is_not_said_of_callers_needs_none(sentence: str) -> None:
    found = [each.target.get("like") for each in story_cases(source_of(sentence))]
    assert not {"others", "own", "password", "unshown"} & set(found)


@pytest.mark.parametrize(
    ("operation", "status", "line"),
    [
        ("POST /login", "401", "for_a_wrong_password"),
        ("DELETE /notes/{id}", "403", "headers=stranger"),
    ],
)
def test_what_an_answer_says_of_callers_is_seen_to_break(operation: str, status: str, line: str) -> None:
    source = source_of("Notes have a title.")
    every = contract_cases(read_operations(source))
    (case,) = [each for each in every if each.subject == operation and each.target.get("status") == status]
    context = Context(source=source, application=Application("", "app:app"), options={"auth": "entered"})
    draft = ContractGenerator().generate(case, context)
    assert isinstance(draft, Draft) and line in draft.source, draft
    is_seen_to_break(case, draft, source)


def test_a_second_caller_is_needed_where_nobody_knows_how_to_get_an_account() -> None:
    source = source_of("A note of somebody else is answered with 404.", ALONE)
    assert not [each for each in story_cases(source) if each.target.get("like") == "others"]
    every = contract_cases(read_operations(source))
    (case,) = [each for each in every if each.target.get("status") == "403"]
    context = Context(source=source, application=Application("", "app:app"), options={"auth": "known"})
    assert isinstance(ContractGenerator().generate(case, context), Declined)
