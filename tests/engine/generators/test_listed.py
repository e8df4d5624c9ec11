"""Tests of things that only a list identifies, of callers of whom the contract does not tell, and of accounts named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.generators.applications.entering import entering
from engine.generators.operations.contract import ContractGenerator, stage_of
from engine.twins.http import Twin
from engine.twins.mutation import Mutation
from engine.twins.replies import VARIANTS
from graph.facts import Extract, Fact, Json, Kind, Location, Tag
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Declined, Draft
from tests.engine.generators.performing import fixtures, performed

CONTRACT = """\
openapi: 3.1.0
info: {title: Library, version: '1'}
paths:
  /register:
    post:
      requestBody: &account {required: true, content: {application/json: {schema: {type: object,
        required: [username, password], properties: {username: {type: string}, password: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object,
        required: [id], properties: {id: {type: integer}}}}}}}
  /login:
    post: {requestBody: *account, responses: {'200': {description: In}}}
  /loans:
    get:
      parameters: []
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: &loan {
        type: object, required: [id, until, user], properties: {id: {type: integer}, until: {type: string},
        user: {type: object, required: [id], properties: {id: {type: integer}}}}}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: &given {type: object, required: [until, user],
        properties: {until: {type: string}, user: {type: integer}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: *given}}}}
  /loans/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      responses: {'200': {description: One, content: {application/json: {schema: *loan}}}, '404': {description: None}}
    delete: {responses: {'204': {description: Gone}, '404': {description: None}}}
"""
PAGED = "[{name: limit, in: query, schema: {type: integer}}]"


def source_of(contract: str = CONTRACT, *served: Fact) -> Memory:
    api = OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=contract, root=""))
    return Memory([api, Extract(facts=list(served))])


def answered(case: str, source: Memory, **options: str) -> Draft | Declined:
    """What the generator makes of the only case of this name."""
    (found,) = [each for each in contract_cases(tuple(read_operations(source))) if each.id.startswith(case)]
    context = Context(
        source=source, application=Application("", "app:app"), options={"auth": "entered", **options}
    )
    return ContractGenerator().generate(found, context)


def told(case: str, source: Memory | None = None, **options: str) -> str:
    answer = answered(case, source or source_of(), **options)
    return answer.source if isinstance(answer, Draft) else answer.needs


def test_what_its_maker_does_not_identify_is_found_in_its_list() -> None:
    source = told("get-loans-id-success")
    assert 'listed_loan = added(before_loan, after_loan, "id")' in source
    assert "client.get(f'/loans/{listed_loan[\"id\"]}')" in source


@pytest.mark.parametrize(
    ("case", "forgets"),
    [
        ("get-loans-id-success", "POST /loans"),
        ("delete-loans-id-gone", "DELETE /loans/{id}"),
        ("post-loans-read-back-1f4ac5", "POST /loans"),
    ],
)
def test_such_a_test_is_green_on_twins_and_red_where_nothing_is_kept(case: str, forgets: str) -> None:
    source = source_of()
    operations = tuple(read_operations(source))
    answer = answered(case, source)
    assert isinstance(answer, Draft), answer.needs
    test = performed(answer)
    for variant in VARIANTS:
        test(Twin(operations, variant))
    with pytest.raises(AssertionError):
        test(Twin(operations, VARIANTS[0], Mutation(kind="forgetful", operation=forgets)))


def test_a_list_that_may_show_a_part_of_all_and_does_not_say_of_how_many_identifies_nothing() -> None:
    needs = told(
        "get-loans-id-success", source_of(CONTRACT.replace("parameters: []", f"parameters: {PAGED}"))
    )
    assert needs == "an existing id: no operation makes one"


class Listing:
    """An answer that lists things of these numbers."""

    def __init__(self, *numbers: int, total: int | None = None, status: int = 200) -> None:
        self.status_code, self.request = status, self
        self.url = "/loans"
        things = [{"id": each} for each in numbers]
        self.told = things if total is None else {"items": things, "total": total}

    def json(self) -> object:
        return self.told


def finding() -> Callable[..., object]:
    """What the fixture `added` gives."""
    find: Callable[..., object] = fixtures()["added"]()
    return find


def test_the_one_thing_that_is_new_in_a_list_is_what_was_made() -> None:
    find = finding()
    assert find(Listing(1), Listing(2, 1), "id") == {"id": 2}
    assert find(Listing(status=404), Listing(1), "id") == {"id": 1}
    assert find(Listing(1, total=1), Listing(2, 1, total=2), "id", "items", "total") == {"id": 2}


def test_a_list_that_shows_nothing_new_is_wrong_unless_it_has_grown() -> None:
    find = finding()
    with pytest.raises(AssertionError, match="nothing new"):
        find(Listing(1), Listing(1), "id")
    with pytest.raises(AssertionError, match="nothing new"):
        find(Listing(1, total=5), Listing(1, total=5), "id", "items", "total")
    with pytest.raises(pytest.skip.Exception, match="/loans does not show on its first page"):
        find(Listing(1, total=5), Listing(1, total=6), "id", "items", "total")
    with pytest.raises(pytest.skip.Exception):
        find(Listing(1), Listing(1, 2, 3), "id")


def test_a_field_called_user_names_an_account_that_is_registered() -> None:
    source = told("post-loans-success")
    assert '"/register"' in source and 'json={"until": "Until", "user": register.json()["id"]}' in source


def served(key: str, security: list[Json] | None) -> list[Fact]:
    """What the code says of an operation: that it may answer with a 401, and for which credentials it asks."""
    asked = {} if security is None else {"security": security}
    return [_of_code(Kind.OPERATION, key, asked), _of_code(Kind.RESPONSE, f"{key}#401", {})]


def _of_code(kind: Kind, key: str, aspects: dict[str, Json]) -> Fact:
    place = Location("app.py", 1, 1)
    return Fact(tag=Tag.CODE, kind=kind, key=key, name=key, source=place, aspects=aspects)


def test_a_request_that_the_code_refuses_to_nobody_is_sent_with_a_token_where_the_contract_tells_of_none() -> (
    None
):
    source = source_of(
        CONTRACT, *served("POST /loans", None), *served("GET /loans", []), *served("POST /login", None)
    )
    made = told("post-loans-success", source)
    assert '"user": register.json()["id"]}, headers=auth)' in made
    assert "headers=auth" not in told("post-loans-success")
    assert "headers=auth" not in told("get-loans-success", source).partition("response = ")[2]
    assert "(401, 403)" in made
    fixture = entering(stage_of(source))
    assert fixture is not None and 'client.post("/login"' in fixture and '"Bearer " + next(' in fixture
    assert not any("auth-missing" in each.id for each in contract_cases(tuple(read_operations(source))))


def test_what_is_called_as_the_name_of_what_is_made_is_told_apart_from_that_of_other_tests() -> None:
    """Whatever the contract says of conflicts: the database may be kept from test to test."""
    contract = CONTRACT.replace("until", "loan_name")
    one, other = (
        told(f"post-loans-{each}", source_of(contract)) for each in ("success", "required-missing-body-user")
    )
    names = [each.partition('"loan_name": "')[2].partition('"')[0] for each in (one, other)]
    assert len(set(names)) == 2 and all(each.startswith("Loan name ") for each in names)


def test_a_caller_of_each_test_may_be_changed_by_it() -> None:
    text = CONTRACT.replace(
        "/loans/{id}:\n    parameters",
        "/me:\n    put: {security: [{key: []}], requestBody: *account, "
        "responses: {'200': {description: Kept}}}\n  /loans/{id}:\n    parameters",
    )
    secured = text + "components: {securitySchemes: {key: {type: http, scheme: bearer}}}\n"
    assert told("put-me-success", source_of(secured)).startswith("a caller of its own")
    assert 'client.put("/me"' in told("put-me-success", source_of(secured), caller="own")


def test_a_contract_that_tells_of_credentials_is_believed() -> None:
    secured = CONTRACT.replace("    delete: {", "    delete: {security: [{key: []}], ")
    secured += "components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}\n"
    assert "headers=auth" not in told("post-loans-success", source_of(secured, *served("POST /loans", None)))


def test_what_was_not_sent_and_may_be_null_is_left_to_the_reading() -> None:
    """It may be worked out there alone: `low_stock` of what is read."""
    shown = "{type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}, "
    shown += (
        "low: {anyOf: [{type: boolean}, {type: 'null'}]}, size: {anyOf: [{type: integer}, {type: 'null'}]}}}"
    )
    one = f"{{'200': {{description: One, content: {{application/json: {{schema: {shown}}}}}}}}}"
    contract = f"""\
openapi: 3.1.0
info: {{title: Shop, version: '1'}}
paths:
  /items:
    post:
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, required: [name],
        properties: {{name: {{type: string}}, size: {{anyOf: [{{type: integer}}, {{type: 'null'}}]}}}}}}}}}}}}
      responses: {one}
  /items/{{id}}:
    get:
      parameters: [{{name: id, in: path, required: true, schema: {{type: integer}}}}]
      responses: {one}
"""
    source = told("post-items-read-back", source_of(contract))
    assert 'response.json().get("size") == item.json().get("size")' in source
    assert '"low"' not in source


def test_what_only_the_reading_shows_is_not_compared_with_what_was_made() -> None:
    """The maker shows no `team`, so the two answers are no equals, although `team` itself is left to the reading."""
    made = "id: {type: integer}, name: {type: string}"
    team = "team: {anyOf: [{type: object, properties: {name: {type: string}}}, {type: 'null'}]}"
    answers = [
        f"{{'200': {{description: One, content: {{application/json: {{schema: {{type: object, required: [id, name],"
        f" properties: {{{fields}}}}}}}}}}}}}"
        for fields in (made, f"{made}, {team}")
    ]
    contract = f"""\
openapi: 3.1.0
info: {{title: Heroes, version: '1'}}
paths:
  /heroes:
    post:
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, required: [name],
        properties: {{name: {{type: string}}}}}}}}}}}}
      responses: {answers[0]}
  /heroes/{{id}}:
    get:
      parameters: [{{name: id, in: path, required: true, schema: {{type: integer}}}}]
      responses: {answers[1]}
"""
    source = told("post-heroes-read-back", source_of(contract))
    assert "response.json() == hero.json()" not in source
    assert 'response.json()["name"] == hero.json()["name"]' in source
    assert '"team"' not in source


def test_whom_a_registration_makes_is_let_in_whatever_its_contract_says_of_the_answer() -> None:
    untold = CONTRACT.replace(
        "responses: {'201': {description: Made, content: {application/json: {schema: {type: object,\n"
        "        required: [id], properties: {id: {type: integer}}}}}}}",
        "responses: {default: {description: Wrong}}",
    )
    assert 'client.post("/register"' in told("post-login-success", source_of(untold))


ORDERS = """\
openapi: 3.1.0
info: {title: Orders, version: '1'}
paths:
  /orders:
    get:
      parameters: [{name: min_price, in: query, schema: {type: number}},
        {name: max_price, in: query, schema: {type: number}}]
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: &order {
        type: object, required: [id, price], properties: {id: {type: integer}, price: {type: number}}}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [price],
        properties: {price: {type: number}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: *order}}}}
  /orders/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: One, content: {application/json: {schema: *order}}}}}
  /orders/{id}/status:
    parameters: [*id]
    patch:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [status],
        properties: {status: {type: string, enum: [open, shut]}}}}}}
      responses: {'200': {description: Set, content: {application/json: {schema: {}}}}}
"""


@pytest.mark.parametrize(("bound", "prices"), [("min_price", ("3.0", "1.5")), ("max_price", ("0.5", "2.0"))])
def test_what_has_just_the_bound_of_a_list_is_not_asked_for_unless_words_tell_of_it(
    bound: str, prices: tuple[str, str]
) -> None:
    source = told(f"get-orders-narrowed-query-{bound.replace('_', '-')}", source_of(ORDERS))
    assert [line.partition('"price": ')[2].partition("}")[0] for line in source.split("client.post")[1:]] == [
        *prices
    ]
    words = ORDERS.replace(f"name: {bound},", f"name: {bound}, description: At least or at most so much,")
    exact = told(f"get-orders-narrowed-query-{bound.replace('_', '-')}", source_of(words))
    asked = exact.partition(f'"{bound}": ')[2].partition("}")[0]
    assert f'"price": {asked}' in exact


def test_a_part_of_a_thing_that_is_set_may_only_be_acknowledged() -> None:
    cases = [each.id for each in contract_cases(tuple(read_operations(source_of(ORDERS))))]
    assert not [each for each in cases if each.startswith("patch-orders-id-status-effect")]
    named = ORDERS.replace("/status:", "/lines:")
    cases = [each.id for each in contract_cases(tuple(read_operations(source_of(named))))]
    assert [each for each in cases if each.startswith("patch-orders-id-lines-effect")]


def test_a_field_that_names_an_account_names_the_caller_where_nobody_can_register() -> None:
    """As a site of Django makes its superuser."""
    alone = CONTRACT.replace("/register:", "/registrations:").replace("/login:", "/entries:")
    assert told("post-loans-success", source_of(alone)).startswith("what user of POST /loans names")
    source = told("post-loans-success", source_of(alone), caller="own")
    assert "(client, caller)" in source and '"user": caller.pk' in source
