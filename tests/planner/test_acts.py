"""Tests of scenarios told in people's own words: which requests they are, and which are left to a person."""

from __future__ import annotations

import msgspec
import pytest

from engine.generators.stories.criterion import CriterionGenerator
from engine.twins.criterion_mutations import told_mutations
from engine.twins.http import Twin
from engine.twins.replies import VARIANTS
from graph.facts import Extract, Fact, Json, Kind, Location, Tag
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.contracts.operations import read_operations
from planner.contracts.things import things
from planner.generator import Application, Context, Draft
from planner.stories.acts import acted, acted_behaviours
from planner.stories.asked import asked_by, asked_of
from planner.stories.cases import story_cases
from planner.stories.exchanges import Exchange
from planner.stories.promises import promised
from planner.stories.scenarios import UnclearStep
from tests.engine.generators.performing import performed

CONTRACT = """\
openapi: 3.1.0
info: {title: Wallet, version: '1'}
paths:
  /accounts:
    post:
      summary: Open an account
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [owner, currency],
        properties: {owner: {type: string}, currency: {type: string, enum: [EUR, USD]}, note: {type: string}}}}}}
      responses: {'201': {description: Opened, content: {application/json: {schema: &account {type: object,
        required: [id, owner, balance, state], properties: {id: {type: integer}, owner: {type: string},
        balance: {type: integer}, state: {type: string, enum: [open, frozen]}, is_new: {type: boolean}}}}}}}
  /accounts/{account_id}:
    parameters: [{name: account_id, in: path, required: true, schema: {type: integer}}]
    get: {summary: Look at an account, responses: {'200': {description: One, content: {application/json: {
      schema: *account}}}, '404': {description: None}}}
    delete: {summary: Close an account, responses: {'204': {description: Closed}, '404': {description: None},
      '409': {description: There is money in it}}}
  /accounts/{account_id}/deposits:
    parameters: [{name: account_id, in: path, required: true, schema: {type: integer}}]
    post:
      summary: Pay in
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [amount],
        properties: {amount: {type: integer, description: In cents.}, label: {type: string}}}}}}
      responses: {'200': {description: Paid in, content: {application/json: {schema: *account}}}}
  /transfers:
    post:
      summary: Send money
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [from, to, amount],
        properties: {from: {type: string, format: uuid}, to: {type: string, format: uuid}, amount: {type: integer}}}}}}
      responses: {'204': {description: Sent}}
  /messages:
    post:
      summary: Write to somebody
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [from, to],
        properties: {from: {type: string}, to: {type: string}, pages: {type: integer}, copies: {type: integer}}}}}}
      responses: {'201': {description: Sent}}
  /accounts/{account_id}/freeze:
    parameters: [{name: account_id, in: path, required: true, schema: {type: integer}}]
    post: {summary: Freeze the account, responses: {'204': {description: Frozen}}}
"""
API = OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=CONTRACT, root=""))
OPERATIONS = read_operations(Memory([API]))
OPENED = Exchange(method="POST", path="/accounts", body={"owner": "Grace", "currency": "EUR"})


def scenario(given: str, when: str, then: str) -> Fact:
    steps = {
        name: each.split("; ") if each else []
        for name, each in (("given", given), ("when", when), ("then", then))
    }
    aspects: dict[str, Json] = {**steps, "text": when}
    return Fact(
        tag=Tag.SPEC,
        kind=Kind.CRITERION,
        key="F.1",
        name="",
        source=Location("a.feature", 1, 1),
        aspects=aspects,
    )


def paid(amount: int, **told: Json) -> Exchange:
    return Exchange(method="POST", path="/accounts/{id}/deposits", body={"amount": amount}, **told)


GIVEN = 'an account of "Grace" in "EUR"'


@pytest.mark.parametrize(
    ("given", "when", "then", "asked"),
    [
        (
            GIVEN,
            "I pay in 1000",
            "the balance is 1000",
            [paid(1000, answer=({"balance": 1000},), in_part=True)],
        ),
        (
            f"{GIVEN}; I paid in a 500 amount",
            "the customer pays in an amount of 250",
            "the account's balance is now 750",
            [paid(500), paid(250, answer=({"balance": 750},), in_part=True)],
        ),
        (
            GIVEN,
            "I close the account",
            "asking for it is answered with 404",
            [
                Exchange(method="DELETE", path="/accounts/{id}"),
                Exchange(method="GET", path="/accounts/{id}", status="404"),
            ],
        ),
        (
            f"{GIVEN}; I paid in 1",
            "I close it",
            "it is rejected with 409",
            [paid(1), Exchange(method="DELETE", path="/accounts/{id}", status="409")],
        ),
        (
            f"{GIVEN}; the account was frozen",
            "I pay in 5",
            "this is refused",
            [Exchange(method="POST", path="/accounts/{id}/freeze"), paid(5, refused=True)],
        ),
        (
            f"{GIVEN}; the account was frozen",
            "I look at it",
            "its state is frozen",
            [
                Exchange(method="POST", path="/accounts/{id}/freeze"),
                Exchange(method="GET", path="/accounts/{id}", answer=({"state": "frozen"},), in_part=True),
            ],
        ),
        (
            GIVEN,
            "I pay in -5",
            "it is rejected with 422; the balance is 0",
            [
                paid(-5, status="422"),
                Exchange(method="GET", path="/accounts/{id}", answer=({"balance": 0},), in_part=True),
            ],
        ),
        (
            'the bank has an account of "Grace" in "EUR"',
            "the account is deleted",
            "the response status is 204",
            [Exchange(method="DELETE", path="/accounts/{id}", status="204")],
        ),
        (
            GIVEN,
            "I pay in 1",
            "the status code is 200; the account is open",
            [paid(1, status="200", answer=({"state": "open"},), in_part=True)],
        ),
        (
            GIVEN,
            "I freeze the account",
            "its state is frozen",
            [
                Exchange(method="POST", path="/accounts/{id}/freeze"),
                Exchange(method="GET", path="/accounts/{id}", answer=({"state": "frozen"},), in_part=True),
            ],
        ),
        (
            GIVEN,
            'I write from "Ada" to "Alan" 3 copies',
            "it is answered with 201",
            [
                Exchange(
                    method="POST",
                    path="/messages",
                    body={"from": "Ada", "to": "Alan", "copies": 3},
                    status="201",
                )
            ],
        ),
        (
            GIVEN,
            'I pay in 7 with the label "Tip"',
            'it has a balance of 7; the owner is "Grace"',
            [
                Exchange(
                    method="POST",
                    path="/accounts/{id}/deposits",
                    body={"amount": 7, "label": "Tip"},
                    answer=({"balance": 7, "owner": "Grace"},),
                    in_part=True,
                )
            ],
        ),
    ],
)
def test_a_step_is_the_operation_that_its_words_name(
    given: str, when: str, then: str, asked: list[Exchange]
) -> None:
    found = acted(scenario(given, when, then), things(OPERATIONS), OPERATIONS)
    assert found == [OPENED, *asked]


@pytest.mark.parametrize(
    ("given", "when", "then"),
    [
        ("", "I pay in 1000", "the balance is 1000"),
        (GIVEN, 'I send 300 from "Grace" to "Alan"', "it is answered with 409"),
        (GIVEN, "I pay in 1000 twice", "the balance is 2000"),
        (GIVEN, "I do not pay in 1000", "the balance is 0"),
        (GIVEN, "I pay in 1000 cents", "the balance is 1000"),
        (GIVEN, "I pay in 1000 dollars", "the balance is 1000"),
        (GIVEN, "I pay in 10.50", "the balance is 1050"),
        (GIVEN, "I pay 1000", "the balance is 1000"),
        (GIVEN, "I pay in 1000", "the sum is 1000"),
        (GIVEN, "I pay in 1000", "the balance is high"),
        (GIVEN, "I pay in 1000", "Alan's balance is 1000"),
        (GIVEN, "I pay in 1000", "everybody is happy"),
        (GIVEN, "I pay in <amount>", "the balance is 1000"),
        (f'{GIVEN}; an account of "Alan" in "USD"', "I pay in 1000", "the balance is 1000"),
        ('an account of "Grace"', "I pay in 1000", "the balance is 1000"),
        ('an account of "Grace" in "GBP"', "I pay in 1000", "the balance is 1000"),
        ("the service runs on Mondays", "I pay in 1000", "the balance is 1000"),
    ],
)
def test_what_is_not_wholly_understood_is_left_to_a_person(given: str, when: str, then: str) -> None:
    with pytest.raises(UnclearStep):
        acted(scenario(given, when, then), things(OPERATIONS), OPERATIONS)


def test_what_was_refused_names_nothing_that_is_asked_for_afterwards() -> None:
    refused = [OPENED, paid(5), paid(7, status="409"), Exchange(method="GET", path="/accounts/{id}")]
    assert asked_of(refused, OPERATIONS)[-1].sources == {"id": 1}


def test_an_outline_has_a_behaviour_for_each_row() -> None:
    fact = scenario(GIVEN, "I pay in <amount>", "the status is <status>")
    rows = [{"amount": "1", "status": "200"}, {"amount": "0", "status": "422"}]
    fact = msgspec.structs.replace(fact, aspects={**fact.aspects, "examples": rows})
    found = list(acted_behaviours(fact, things(OPERATIONS), OPERATIONS))
    assert [each.target["row"] for each in found] == [0, 1]
    sent = [each.target["exchanges"][-1] for each in found]
    assert [(each["body"], each["status"]) for each in sent] == [
        ({"amount": 1}, "200"),
        ({"amount": 0}, "422"),
    ]


def test_its_test_is_green_where_the_scenario_holds_and_red_where_any_of_it_does_not() -> None:
    fact = scenario(GIVEN, "I pay in 1000", "the balance is 1000")
    source = Memory([API, Extract(facts=[fact])])
    (case,) = story_cases(source)
    context = Context(source=source, application=Application("", "app:app"))
    draft = CriterionGenerator().generate(case, context)
    assert isinstance(draft, Draft), draft
    run, whole = performed(draft), tuple(promised(OPERATIONS, [case]))
    told = tuple(each.exchange for each in asked_by(case, fact, OPERATIONS))
    for variant in VARIANTS:
        run(Twin(whole, variant, exchanges=told))
    operation = next(each for each in OPERATIONS if each.key == case.target["operation"])
    broken = list(told_mutations(told, operation))
    assert broken
    for mutation in broken:
        with pytest.raises((AssertionError, KeyError)):
            run(Twin(whole, VARIANTS[0], mutation, told))
