"""Tests of scenarios told in people's own words: which requests they are, and which are left to a person."""

from __future__ import annotations

import msgspec
import pytest

from engine.generators.operations.stage import Stage
from engine.generators.stories.completing import renamed
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
OPENED = Exchange(method="POST", path="/accounts", body={"owner": "Grace", "currency": "EUR"}, completed=True)


def scenario(given: str, when: str, then: str) -> Fact:
    steps = {
        name: each.split("; ") if each else []
        for name, each in (("given", given), ("when", when), ("then", then))
    }
    aspects: dict[str, Json] = {**steps, "text": f"{given} {when} {then}"}
    return Fact(
        tag=Tag.SPEC,
        kind=Kind.CRITERION,
        key="F.1",
        name="",
        source=Location("a.feature", 1, 1),
        aspects=aspects,
    )


def paid(amount: int, **told: Json) -> Exchange:
    path = "/accounts/{id}/deposits"
    return Exchange(method="POST", path=path, body={"amount": amount}, completed=True, **told)


def of_the_first(exchange: Exchange, name: str = "account_id") -> Exchange:
    """The request once an answer after the first has an id, too."""
    path, sources = exchange.path.replace("{id}", f"{{{name}}}"), {name: (0, "id")}
    return msgspec.structs.replace(exchange, path=path, sources=sources)


def of_the_cart(exchange: Exchange) -> Exchange:
    return of_the_first(exchange, "cart_id")


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
            [paid(500), of_the_first(paid(250, answer=({"balance": 750},), in_part=True))],
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
            [paid(1), of_the_first(Exchange(method="DELETE", path="/accounts/{id}", status="409"))],
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
                of_the_first(
                    Exchange(method="GET", path="/accounts/{id}", answer=({"balance": 0},), in_part=True)
                ),
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
                    completed=True,
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
                    completed=True,
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
        ("", "I open an account", "it is refused"),
        ('an account of "Grace" in "GBP"', "I pay in 1000", "the balance is 1000"),
        ("the service runs on Mondays", "I pay in 1000", "the balance is 1000"),
    ],
)
def test_what_is_not_wholly_understood_is_left_to_a_person(given: str, when: str, then: str) -> None:
    with pytest.raises(UnclearStep):
        acted(scenario(given, when, then), things(OPERATIONS), OPERATIONS)


def test_what_was_refused_names_nothing_that_is_asked_for_afterwards() -> None:
    refused = [OPENED, paid(5), paid(7, status="409"), Exchange(method="GET", path="/accounts/{id}")]
    assert asked_of(refused, OPERATIONS)[-1].sources == {"id": (1, "id")}


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


def tried(api: Extract, fact: Fact, *, refuses: bool = False) -> str:
    """The source of a scenario's test, which is green on each twin and red on each that breaks what is told."""
    source, operations = Memory([api, Extract(facts=[fact])]), read_operations(Memory([api]))
    case = next(each for each in story_cases(source) if bool(each.target.get("refuses")) is refuses)
    context = Context(source=source, application=Application("", "app:app"))
    draft = CriterionGenerator().generate(case, context)
    assert isinstance(draft, Draft), draft
    run, whole = performed(draft), tuple(promised(operations, [case]))
    asked = renamed(asked_by(case, fact, operations), Stage(operations).of(case.id))
    told = tuple(each.exchange for each in asked)
    for variant in VARIANTS:
        run(Twin(whole, variant, exchanges=told))
    operation = next(each for each in operations if each.key == case.target["operation"])
    broken = list(told_mutations(told, operation))
    assert broken
    for mutation in broken:
        with pytest.raises((AssertionError, KeyError)):
            run(Twin(whole, VARIANTS[0], mutation, told))
    return draft.source


def test_its_test_is_green_where_the_scenario_holds_and_red_where_any_of_it_does_not() -> None:
    tried(API, scenario(GIVEN, "I pay in 1000", "the balance is 1000"))


SHOP = """\
openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /products:
    post:
      summary: Add a product
      requestBody: {required: true, content: {application/json: {schema: &product {type: object,
        required: [sku, name, price], properties: {sku: {type: string, pattern: '^[A-Z]{3}-[0-9]{3}$'},
        name: {type: string}, price: {type: number}}}}}}
      responses: {'201': {description: Added, content: {application/json: {schema: *product}}},
        '409': {description: The SKU is in use}}
  /products/{sku}:
    get:
      parameters: [{name: sku, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: One, content: {application/json: {schema: *product}}},
        '404': {description: None}}
  /carts:
    post:
      summary: Open a cart
      responses: {'201': {description: Opened, content: {application/json: {schema: &cart {type: object,
        required: [id, items, total, status], properties: {id: {type: integer}, items: {type: array,
        items: {type: object, properties: {sku: {type: string}, quantity: {type: integer}}}}, total: {type: number},
        status: {type: string, enum: [open, closed]}}}}}}}
  /carts/{cart_id}:
    get:
      parameters: [{name: cart_id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: One, content: {application/json: {schema: *cart}}}, '404': {description: None}}
  /carts/{cart_id}/items/{sku}:
    parameters: [{name: cart_id, in: path, required: true, schema: {type: integer}},
      {name: sku, in: path, required: true, schema: {type: string}}]
    put:
      summary: Put a product into the cart, or change how many
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [quantity],
        properties: {quantity: {type: integer}}}}}}
      responses: {'200': {description: The cart, content: {application/json: {schema: *cart}}},
        '404': {description: None}, '409': {description: The cart is closed}}
    delete: {responses: {'204': {description: Removed}, '404': {description: None}}}
  /carts/{cart_id}/checkout:
    post:
      operationId: check_out
      parameters: [{name: cart_id, in: path, required: true, schema: {type: integer}}]
      responses: {'201': {description: The order, content: {application/json: {schema: {type: object,
        required: [id, status], properties: {id: {type: integer}, status: {type: string, enum: [placed, sent]}}}}}},
        '409': {description: The cart is empty}}
"""
SHOPPING = OpenApiReader().read(Document(path="shop.yaml", role=Role.CONTRACT, text=SHOP, root=""))
SOLD = read_operations(Memory([SHOPPING]))
TEA = Exchange(method="POST", path="/products", body={"sku": "TEA-100", "price": 4.5}, completed=True)
CART = Exchange(method="POST", path="/carts")


def put(count: int, **told: Json) -> Exchange:
    return Exchange(method="PUT", path="/carts/{id}/items/{sku}", body={"quantity": count}, **told)


@pytest.mark.parametrize(
    ("given", "when", "then", "asked"),
    [
        (
            "I open a cart",
            "",
            "the cart has no items; the total is 0",
            [msgspec.structs.replace(CART, answer=({"total": 0},), in_part=True, counted={"items": 0})],
        ),
        (
            'a product "TEA-100" that costs 4.50; an open cart',
            'I put 3 of "TEA-100" into the cart',
            "the total is 13.50; the cart has 1 item",
            [TEA, CART, put(3, answer=({"total": 13.5},), in_part=True, counted={"items": 1})],
        ),
        (
            'a cart with 2 of "TEA-100"',
            'I remove "TEA-100" from the cart',
            "the cart is empty",
            [
                CART,
                msgspec.structs.replace(TEA, body={"sku": "TEA-100"}),
                put(2),
                of_the_cart(Exchange(method="DELETE", path="/carts/{id}/items/{sku}")),
                of_the_cart(Exchange(method="GET", path="/carts/{id}", counted={"items": 0})),
            ],
        ),
        (
            "an empty cart",
            "I check out",
            "I am told that the cart is empty",
            [CART, Exchange(method="POST", path="/carts/{id}/checkout", status="409")],
        ),
        (
            'a cart with 2 of "TEA-100"',
            "I check out",
            "the order is placed; the cart is closed",
            [
                CART,
                msgspec.structs.replace(TEA, body={"sku": "TEA-100"}),
                put(2),
                of_the_cart(
                    Exchange(
                        method="POST",
                        path="/carts/{id}/checkout",
                        answer=({"status": "placed"},),
                        in_part=True,
                    )
                ),
                of_the_cart(
                    Exchange(method="GET", path="/carts/{id}", answer=({"status": "closed"},), in_part=True)
                ),
            ],
        ),
        (
            'a product "TEA-100"',
            'I add a product "TEA-100"',
            "I get a 409",
            [
                msgspec.structs.replace(TEA, body={"sku": "TEA-100"}),
                msgspec.structs.replace(TEA, body={"sku": "TEA-100"}, status="409"),
            ],
        ),
        (
            "",
            'I add a product "TEA-100"',
            "it is accepted",
            [msgspec.structs.replace(TEA, body={"sku": "TEA-100"}, status="201")],
        ),
    ],
)
def test_things_are_put_into_others_and_what_a_story_leaves_open_is_left_to_its_test(
    given: str, when: str, then: str, asked: list[Exchange]
) -> None:
    fact = scenario(given, when, then)
    assert acted(fact, things(SOLD), SOLD) == asked
    source = tried(SHOPPING, fact)
    # A name that people chose is the test's own where a second thing of this name is refused.
    assert "TEA-100" not in source.partition('"""')[2].partition('"""')[2]


@pytest.mark.parametrize(
    ("given", "when", "then"),
    [
        ("a closed cart", "I check out", "I get a 409"),
        ("an empty cart", "I check out", "I am told that there is nothing in it"),
        ("an empty cart", "I check out", "the shelf is empty"),
        ("an empty cart", 'I put 3 of "TEA-100" and 1 of "TEA-200" into the cart', "the cart has 2 items"),
        ("", "I add a product", "it is rejected"),
    ],
)
def test_what_no_operation_brings_about_is_left_to_a_person(given: str, when: str, then: str) -> None:
    with pytest.raises(UnclearStep):
        acted(scenario(given, when, then), things(SOLD), SOLD)


def test_what_a_story_says_how_a_thing_comes_to_stand_is_what_the_contract_refuses_then() -> None:
    fact = scenario('a cart with 2 of "TEA-100"', "I check out", "the cart is closed")
    told, refused = acted_behaviours(fact, things(SOLD), SOLD)
    assert told.target["operation"] == "GET /carts/{cart_id}"
    assert refused.target["operation"] == "PUT /carts/{cart_id}/items/{sku}"
    assert refused.target["exchanges"][-1]["status"] == "409"
    assert "_is_refused(client, arranged):" in tried(SHOPPING, fact, refuses=True)


def test_what_no_contract_refuses_is_no_claim_of_a_story() -> None:
    fact = scenario('a product "TEA-100"', "I open a cart", "the cart is open")
    (told,) = acted_behaviours(fact, things(SOLD), SOLD)
    assert told.target["operation"] == "POST /carts"
