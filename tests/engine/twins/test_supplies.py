"""What has to be put in before it can be taken out, things that are closed rather than removed, and two of one kind."""

from __future__ import annotations

import pytest

from planner.cases import Technique
from planner.contracts.lifecycles import brought_about
from planner.contracts.readiness import unready_as_made
from planner.contracts.references import maker_of_reference
from planner.contracts.supplies import supply_for_reference, supply_of
from planner.stories.carriers import carriers
from tests.engine.twins.proving import of_contract, of_stories, prove, source_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Ledger, version: '1'}
paths:
  /accounts:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [number],
        properties: {number: &number {type: string, pattern: '^[0-9]{8}$'}}}}}}
      responses: {'201': {description: It is open, content: {application/json: {schema: &account {type: object,
        required: [number, balance, state], properties: {number: {type: string}, balance: {type: integer},
        state: {type: string, enum: [active, frozen, closed]}, closed_on: {type: [string, 'null'], format: date}}}}}},
        '409': {description: The number is in use}}
  /accounts/{number}:
    parameters: [&of {name: number, in: path, required: true, schema: *number}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *account}}},
      '404': &none {description: None}}}
    put:
      operationId: rename
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [label],
        properties: {label: {type: string}}}}}}
      responses: {'200': {description: Renamed, content: {application/json: {schema: *account}}}, '404': *none,
        '409': {description: The account is closed}}
    delete:
      operationId: close_account
      summary: Close an account
      responses: {'200': {description: The closed account, content: {application/json: {schema: *account}}},
        '404': *none, '409': {description: 'The balance is not zero, or the account is closed already.'}}
  /accounts/{number}/freeze:
    parameters: [*of]
    post: {operationId: freeze, responses: {'200': {description: The frozen account,
      content: {application/json: {schema: *account}}}, '404': *none, '409': {description: The account is not active.}}}
  /accounts/{number}/deposits:
    parameters: [*of]
    post: &move
      operationId: deposit
      requestBody: {required: true, content: {application/json: {schema: &amount {type: object, required: [amount],
        properties: {amount: {type: integer, minimum: 1, maximum: 5000}}}}}}
      responses: &moved {'201': {description: Done, content: {application/json: {schema: {type: object,
        required: [id, amount], properties: {id: {type: integer}, amount: {type: integer}}}}}}, '404': *none,
        '409': {description: The account is frozen or closed}}
  /accounts/{number}/withdrawals:
    parameters: [*of]
    post:
      operationId: withdraw
      requestBody: {required: true, content: {application/json: {schema: *amount}}}
      responses: {<<: *moved, '409': {description: 'There is not enough money, or the account is frozen or closed.'}}
  /transfers:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object,
        required: [source, target, amount], properties: {source: *number, target: *number, amount: {type: integer}}}}}}
      responses: {'201': {description: Done, content: {application/json: {schema: {type: object,
        required: [id, source, target], properties: {id: {type: integer}, source: *number, target: *number}}}}},
        '404': {description: One of the accounts does not exist},
        '409': {description: There is not enough money on the source account}}
"""
NEW = "A new account is active and its balance is 0."
MONEY = (NEW, "A deposit raises `balance` by its amount.", "A withdrawal lowers `balance` by its amount.")
CLOSE, FREEZE = "DELETE /accounts/{number}", "POST /accounts/{number}/freeze"
DEPOSIT, WITHDRAW = "POST /accounts/{number}/deposits", "POST /accounts/{number}/withdrawals"


def test_what_lowers_a_number_needs_what_raises_it() -> None:
    source = source_of(CONTRACT, "accounts", *MONEY)
    operations = {each.key: each for each in carriers(source)}
    supply = supply_of(operations[WITHDRAW], operations.values())
    assert supply is not None and (supply.operation.key, supply.amount, supply.number) == (
        DEPOSIT,
        "amount",
        5000,
    )
    assert supply_of(operations[DEPOSIT], operations.values()) is None
    assert unready_as_made(operations[WITHDRAW], operations.values()) is None
    untold = {each.key: each for each in carriers(source_of(CONTRACT, "accounts", NEW))}
    assert supply_of(untold[WITHDRAW], untold.values()) is None
    assert unready_as_made(untold[WITHDRAW], untold.values()) is not None


def test_money_is_put_in_before_it_is_taken_out() -> None:
    source = source_of(CONTRACT, "accounts", *MONEY)
    written = prove(source, of_contract(source, WITHDRAW, Technique.SUCCESS))
    assert written.index('deposits\', json={"amount": 5000}') < written.index("/withdrawals")


def test_all_sentences_about_money_are_tests() -> None:
    source = source_of(CONTRACT, "accounts", *MONEY, "Nobody can withdraw more than the balance (409).")
    cases = of_stories(source)
    likes = [str(each.target["like"]) for each in cases]
    assert likes == ["starts", "starts", "moves", "moves", "missing"]
    written = prove(source, *cases)
    assert (
        '/withdrawals\', json={"amount": 5000}' in written
        and "/freeze" not in written
        and "/deposits" not in written
    )


def test_a_delete_that_shows_what_it_marked_is_an_act() -> None:
    source = source_of(CONTRACT, "accounts", NEW)
    operations = {each.key: each for each in carriers(source)}
    state = brought_about(operations[CLOSE], operations.values())
    assert state is not None and (state.field, state.value) == ("state", "closed")
    prove(source, of_contract(source, CLOSE, Technique.READ_BACK))
    assert prove(source, of_contract(source, CLOSE, Technique.ERROR, "409")).count(".delete(") == 2
    assert ".delete(" in prove(source, of_contract(source, "PUT /accounts/{number}", Technique.ERROR, "409"))


def test_what_needs_the_first_state_is_refused_in_another_one() -> None:
    source = source_of(CONTRACT, "accounts", NEW)
    refused = prove(source, of_contract(source, FREEZE, Technique.ERROR, "409"))
    assert refused.index(".delete(") < refused.index("/freeze")
    assert prove(source, of_contract(source, FREEZE, Technique.SUCCESS)).count("/freeze") == 1


@pytest.mark.parametrize(
    ("sentence", "like", "operations"),
    [
        ("Closing an account sets `closed_on`.", "starts", [CLOSE]),
        ("An account that is frozen cannot be frozen again (409).", "standing", [FREEZE]),
        ("A frozen account accepts no deposits or withdrawals (409).", "standing", [DEPOSIT, WITHDRAW]),
        ("A frozen account accepts no deposits unless a clerk asks (409).", "", []),
        ("Freezing makes the account frozen.", "starts", [FREEZE]),
        (
            "Two accounts never share a number; opening a second one is answered with 409.",
            "again",
            ["POST /accounts"],
        ),
    ],
)
def test_a_sentence_is_a_test(sentence: str, like: str, operations: list[str]) -> None:
    source = source_of(CONTRACT, "accounts", *MONEY, sentence)
    cases = [each for each in of_stories(source) if each.description.startswith("D-1.4")]
    assert [case.target["operation"] for case in cases] == operations
    assert {case.target["like"] for case in cases} == ({like} if like else set())
    prove(source, *cases)


def test_two_that_a_request_names_are_two_of_which_one_has_enough() -> None:
    source = source_of(CONTRACT, "accounts", *MONEY)
    operations = {each.key: each for each in carriers(source)}
    every = operations.values()
    number = {"type": "string", "pattern": "^[0-9]{8}$"}
    found = maker_of_reference("source", number, every)
    assert found is not None and (found[0].key, found[1]) == ("POST /accounts", "number")
    assert maker_of_reference("source", {**number, "pattern": "^[0-9]{9}$"}, every) is None
    told = supply_for_reference(
        operations["POST /transfers"], {"source": found[0], "target": found[0]}, every
    )
    assert told is not None and (told[0], told[1].operation.key) == ("source", DEPOSIT)
    written = prove(source, of_contract(source, "POST /transfers", Technique.SUCCESS))
    assert written.count('.post("/accounts"') == 2 and "/deposits" in written
    assert 'account.json()["number"]' in written and 'account_target.json()["number"]' in written


def test_of_two_that_may_be_lacking_the_first_is_asked_for_under_a_name_that_nobody_has() -> None:
    source = source_of(CONTRACT, "accounts", *MONEY)
    written = prove(source, of_contract(source, "POST /transfers", Technique.ERROR, "404"))
    assert '"target": account_target.json()["number"]' in written
    assert '"source": account.json()' not in written


def test_what_has_to_be_zero_is_raised_to_be_refused() -> None:
    told = "Only an account whose balance is zero can be closed; otherwise the answer is 409."
    source = source_of(CONTRACT, "accounts", *MONEY, told)
    cases = [each for each in of_stories(source) if each.target["operation"] == CLOSE]
    assert [each.target["like"] for each in cases] == ["missing"]
    assert "/deposits" in prove(source, *cases)
    silent = source_of(CONTRACT, "accounts", NEW, told)
    assert "/deposits" not in prove(silent, of_contract(silent, CLOSE, Technique.ERROR, "409"))


def test_a_list_is_narrowed_to_what_an_act_brought_about() -> None:
    listed = """\
    get:
      parameters: [{name: state, in: query, schema: {type: string, enum: [active, frozen, closed]}}]
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: *account}}}}}
  /accounts/{number}:
"""
    contract = CONTRACT.replace("  /accounts/{number}:\n", listed, 1)
    source = source_of(contract, "accounts", NEW)
    written = prove(source, of_contract(source, "GET /accounts", Technique.NARROWED))
    assert '"state": "closed"' in written and written.count(".delete(") == 1


@pytest.mark.parametrize(
    ("sentence", "is_read"),
    [
        ("Bookings are listed latest first.", False),
        ("The bookings are listed latest first.", False),
        ("Whatever is booked, the list shows the latest first.", True),
        ("Users see the list with the latest first.", True),
    ],
)
def test_what_is_said_of_things_that_nobody_makes_is_not_said_of_others(sentence: str, is_read: bool) -> None:
    listed = "responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: %s}}}}}"
    of_account = (
        f"  /accounts/{{number}}/bookings:\n    parameters: [*of]\n    get: {{{listed % '{type: object}'}}}\n"
    )
    users = f"  /users:\n    get: {{{listed % '{type: object}'}}}\n"
    every = f"    get:\n      {listed % '*account'}\n  /accounts/{{number}}:\n"
    contract = CONTRACT.replace("  /accounts/{number}:\n", every, 1) + of_account + users
    assert bool(of_stories(source_of(contract, "accounts", sentence))) is is_read


def test_the_total_in_a_header_grows_by_what_was_made() -> None:
    listed = """\
    get:
      responses: {'200': {description: All, headers: {X-Total-Count: {schema: {type: integer}}},
        content: {application/json: {schema: {type: array, items: *account}}}}}
  /accounts/{number}:
"""
    source = source_of(CONTRACT.replace("  /accounts/{number}:\n", listed, 1), "accounts")
    written = prove(source, of_contract(source, "POST /accounts", Technique.READ_BACK, read="GET /accounts"))
    assert 'int(response.headers["X-Total-Count"]) == int(before.headers["X-Total-Count"]) + 1' in written
