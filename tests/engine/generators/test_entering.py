"""Tests of callers whose account a contract says how to make, and how to let in."""

from __future__ import annotations

from typing import Any

import pytest

from engine.generators.applications.entering import entering
from engine.generators.applications.shared_fixtures import conftest
from engine.generators.operations.contract import ContractGenerator
from engine.generators.operations.stage import Stage
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Draft

ACCOUNT = "{email: {type: string, format: email}, password: {type: string, minLength: 8}}"
NAMED = "{username: {type: string}, email: {type: string, format: email}, password: {type: string}}"
TOKEN = "{access_token: {type: string}, token_type: {type: string}}"


def contract(
    account: str = ACCOUNT,
    token: str = TOKEN,
    *,
    register: str = "/auth/register",
) -> Memory:
    text = f"""\
openapi: 3.1.0
info: {{title: Teas, version: '1'}}
components: {{securitySchemes: {{bearer: {{type: http, scheme: bearer}}}}}}
paths:
  {register}:
    post:
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, required: [password],
        properties: {account}}}}}}}}}
      responses: {{'201': {{description: Made}}}}
  /auth/login:
    post:
      requestBody: {{required: true, content: {{application/x-www-form-urlencoded: {{schema: {{type: object,
        required: [username, password], properties: {{username: {{type: string}}, password: {{type: string}}}}}}}}}}}}
      responses: {{'200': {{description: In, content: {{application/json: {{schema: {{type: object,
        required: [access_token], properties: {token}}}}}}}}}}}
  /teas:
    get: {{security: [{{bearer: []}}], responses: {{'200': {{description: All}}}}}}
"""
    return Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=text, root=""))])


class Answer:
    """What a client got."""

    def __init__(self, status_code: int, content: dict[str, str]) -> None:
        self.status_code, self.content = status_code, content

    def json(self) -> dict[str, str]:
        return self.content


class Teas:
    """A service that lets in by the field `known`, once the account is made."""

    def __init__(self, known: str, *, refuses: str = "") -> None:
        self.known, self.refuses = known, refuses
        self.accounts: list[dict[str, Any]] = []

    def post(
        self, path: str, json: dict[str, Any] | None = None, data: dict[str, Any] | None = None
    ) -> Answer:
        if path.endswith("register"):
            if self.refuses in (json or {}):
                return Answer(400, {})
            self.accounts.append(json or {})
            return Answer(201, {})
        sent = data or json or {}
        is_in = any(
            (each[self.known], each["password"]) == (sent["username"], sent["password"])
            for each in self.accounts
        )
        return Answer(200, {"access_token": "tea"}) if is_in else Answer(401, {"detail": "who?"})


def let_in(fixture: str, service: Teas) -> dict[str, str]:
    names: dict[str, Any] = {"pytest": pytest}
    exec(fixture.replace("@pytest.fixture\n", ""), names)  # noqa: S102 - it is what we wrote
    given = names["auth"](service)
    assert isinstance(given, dict)
    return given


@pytest.mark.parametrize("known", ["username", "email"])
def test_the_caller_is_let_in_by_whichever_name_the_service_knows_the_account(known: str) -> None:
    fixture = entering(Stage(read_operations(contract(NAMED))))
    assert fixture is not None
    service = Teas(known)
    assert let_in(fixture, service) == {"Authorization": "Bearer tea"}
    assert let_in(fixture, service) == {"Authorization": "Bearer tea"}
    assert len(service.accounts) == 1


@pytest.mark.parametrize("refuses", ["", "is_admin"])
def test_the_account_has_all_rights_where_anybody_may_ask_for_them_and_is_given_them(refuses: str) -> None:
    account = ACCOUNT.replace("{email", "{is_admin: {type: boolean}, email")
    fixture = entering(Stage(read_operations(contract(account))))
    assert fixture is not None
    service = Teas("email", refuses=refuses or "nothing")
    assert let_in(fixture, service) == {"Authorization": "Bearer tea"}
    assert any("is_admin" in each for each in service.accounts) == (not refuses)


def test_who_is_not_let_in_leaves_the_test_undecided() -> None:
    fixture = entering(Stage(read_operations(contract())))
    assert fixture is not None
    with pytest.raises(pytest.skip.Exception, match="does not let in whom POST /auth/register made"):
        let_in(fixture, Teas("email", refuses="email"))


@pytest.mark.parametrize(
    "source",
    [
        contract(token="{access_token: {type: integer}}"),
        contract(register="/auth/invite"),
        contract(account="{nick: {type: string}, password: {type: string}}"),
    ],
    ids=["no token", "no registration", "no name in common"],
)
def test_nobody_is_let_in_where_the_contract_does_not_say_how(source: Memory) -> None:
    assert entering(Stage(read_operations(source))) is None


def test_the_fixture_stands_in_the_conftest() -> None:
    fixture = entering(Stage(read_operations(contract())))
    text = conftest(Application("fastapi", "teas:app"), way_in=fixture)
    assert "no credentials are known" not in text
    assert text.count("def auth(") == 1
    compile(text, "conftest.py", "exec")


def test_what_such_a_caller_may_not_do_is_undecided() -> None:
    source = contract()
    context = Context(
        source=source, application=Application("fastapi", "teas:app"), options={"auth": "entered"}
    )
    found = {}
    for case in contract_cases(read_operations(source)):
        answer = ContractGenerator().generate(case, context)
        if isinstance(answer, Draft) and case.subject == "GET /teas":
            found[case.technique] = answer.source
    assert "if response.status_code == 403:\n        pytest.skip(" in found[Technique.SUCCESS]
    assert "pytest.skip" not in found[Technique.AUTH_MISSING]
