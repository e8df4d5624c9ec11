"""Tests of callers whose account a contract says how to make, and how to let in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.generators.applications import conftests as templates
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
KEY = "type: apiKey, in: header, name: Authorization"
ONE = "[{name: id, in: path, required: true, schema: {type: integer}}]"
TOKEN = "{access_token: {type: string}, token_type: {type: string}}"


def contract(
    account: str = ACCOUNT,
    token: str = TOKEN,
    *,
    register: str = "/auth/register",
    login: str = "username: {type: string}",
    more: str = "/cups",
    scheme: str = "bearer: {type: http, scheme: bearer}",
    lets_in: str = "",
    parameters: str = "[]",
    made: str = "{}",
) -> Memory:
    name = scheme.partition(":")[0]
    text = f"""\
openapi: 3.1.0
info: {{title: Teas, version: '1'}}
components: {{securitySchemes: {{{scheme}}}}}
paths:
  {register}:
    post:
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, required: [password],
        properties: {account}}}}}}}}}
      responses: {{'201': {{description: Made, content: {{application/json: {{schema: {made}}}}}}}}}
  /auth/login:
    post:
      {lets_in}
      requestBody: {{required: true, content: {{application/x-www-form-urlencoded: {{schema: {{type: object,
        required: [username, password], properties: {{{login}, password: {{type: string}}}}}}}}}}}}
      responses: {{'200': {{description: In, content: {{application/json: {{schema: {{type: object,
        required: [access_token], properties: {token}}}}}}}}}}}
  /teas:
    get: &all {{security: [{{{name}: []}}], responses: {{'200': {{description: All}}}}}}
  {more}:
    parameters: {parameters}
    get: *all
"""
    return Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=text, root=""))])


class Answer:
    """What a client got."""

    def __init__(self, status_code: int, content: dict[str, str] | None, **told: dict[str, str]) -> None:
        self.status_code, self.content = status_code, content
        self.text = str(content)
        self.headers, self.cookies = told.get("headers", {}), told.get("cookies", {})

    def json(self) -> dict[str, str] | None:
        return self.content


class Teas:
    """A service that lets in by the field `known`, once the account is made."""

    def __init__(
        self, known: str, *, refuses: str = "", shows: int = 200, lets_in: Answer | None = None
    ) -> None:
        self.known, self.refuses, self.shows = known, refuses, shows
        self.lets_in = lets_in or Answer(200, {"access_token": "tea"})
        self.accounts: list[dict[str, Any]] = []

    def get(self, path: str, headers: dict[str, str]) -> Answer:
        return Answer(self.shows, headers)

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
        return self.lets_in if is_in else Answer(401, {"detail": "who?"})


def let_in(fixture: str, service: Teas) -> dict[str, str]:
    names: dict[str, Any] = {"pytest": pytest}
    shared = (Path(templates.__path__[0]) / "arranging.py").read_text(encoding="utf-8")
    exec(f"{shared}\n\n{fixture}".replace("@pytest.fixture\n", ""), names)  # noqa: S102 - it is what we wrote
    given = names["auth"](service, names["arranged"](service))
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


def test_a_login_by_a_username_knows_an_account_by_what_it_is_called() -> None:
    fixture = entering(Stage(read_operations(contract("{name: {type: string}, password: {type: string}}"))))
    assert fixture is not None
    assert let_in(fixture, Teas("name")) == {"Authorization": "Bearer tea"}


@pytest.mark.parametrize("refuses", ["", "is_admin"])
def test_the_account_has_all_rights_where_anybody_may_ask_for_them_and_is_given_them(refuses: str) -> None:
    account = ACCOUNT.replace("{email", "{is_admin: {type: boolean}, email")
    fixture = entering(Stage(read_operations(contract(account))))
    assert fixture is not None
    service = Teas("email", refuses=refuses or "nothing")
    assert let_in(fixture, service) == {"Authorization": "Bearer tea"}
    assert any("is_admin" in each for each in service.accounts) == (not refuses)


def test_a_login_may_tell_the_form_of_what_it_takes_from_an_account() -> None:
    name = "username: {type: string, pattern: '^[a-z0-9]{3,20}$', example: ada}"
    source = contract(f"{{{name}, password: {{type: string, example: Xy8-12345}}}}", login=name)
    fixture = entering(Stage(read_operations(source)))
    assert fixture is not None
    service = Teas("username")
    assert let_in(fixture, service) == {"Authorization": "Bearer tea"}
    assert service.accounts[0]["username"] not in ("ada", "reader")


@pytest.mark.parametrize(
    ("scheme", "header"),
    [
        ("token: {type: http, scheme: bearer}", "Bearer tea"),
        (f"token: {{{KEY}, description: 'with required prefix \"Token\"'}}", "Token tea"),
        (f"token: {{{KEY}, description: 'Say JWT <token>'}}", "JWT tea"),
        (f"bearerAuth: {{{KEY}}}", "Bearer tea"),
        (f"token: {{{KEY}}}", ""),
        ("token: {type: apiKey, in: header, name: X-Token, description: 'Bearer <token>'}", ""),
    ],
)  # fmt: skip
def test_the_word_before_the_token_is_the_one_that_the_contract_tells(scheme: str, header: str) -> None:
    fixture = entering(Stage(read_operations(contract(scheme=scheme))))
    assert (fixture is not None) is bool(header)
    if fixture is not None:
        assert let_in(fixture, Teas("email")) == {"Authorization": header}


@pytest.mark.parametrize(
    ("answer", "header"),
    [
        (Answer(200, {"jwt": "tea"}), "Bearer tea"),
        (Answer(200, {"id": "7"}, headers={"Authorization": "Bearer tea"}), "Bearer tea"),
        (Answer(200, {"id": "7"}, cookies={"session": "tea"}), "of a cookie"),
        (Answer(200, {"id": "7"}), ""),
    ],
)
def test_a_token_that_the_contract_does_not_tell_is_looked_for_in_the_answer(
    answer: Answer, header: str
) -> None:
    fixture = entering(Stage(read_operations(contract(token="{access_token: {type: integer}}"))))
    assert fixture is not None
    if header:
        wanted = {"Cookie": "session=tea"} if answer.cookies else {"Authorization": header}
        assert let_in(fixture, Teas("email", lets_in=answer)) == wanted
        return
    with pytest.raises(pytest.skip.Exception, match="shows no token"):
        let_in(fixture, Teas("email", lets_in=answer))


class Yielding(Teas):
    """A service whose login answers whoever is not known with nothing, and with success."""

    def post(
        self, path: str, json: dict[str, Any] | None = None, data: dict[str, Any] | None = None
    ) -> Answer:
        answer = super().post(path, json, data)
        return Answer(200, None) if answer.status_code == 401 else answer


def test_whoever_is_let_in_without_a_token_before_there_is_an_account_gets_one() -> None:
    fixture = entering(Stage(read_operations(contract(token="{access_token: {type: integer}}"))))
    assert fixture is not None
    service = Yielding("email", lets_in=Answer(200, {"token": "tea"}))
    assert let_in(fixture, service) == {"Authorization": "Bearer tea"}
    assert len(service.accounts) == 1


@pytest.mark.parametrize("cookies", [{"session": "tea", "seen": "1"}, {}])
def test_a_service_that_knows_its_caller_by_a_cookie_is_asked_with_it(cookies: dict[str, str]) -> None:
    scheme = "session: {type: apiKey, in: cookie, name: session}"
    fixture = entering(Stage(read_operations(contract(scheme=scheme))))
    assert fixture is not None
    service = Teas("email", lets_in=Answer(200, {}, cookies=cookies))
    if cookies:
        assert let_in(fixture, service) == {"Cookie": "session=tea; seen=1"}
        return
    with pytest.raises(pytest.skip.Exception, match="sets no cookie"):
        let_in(fixture, service)


def test_what_lets_in_may_be_said_to_need_credentials_as_all_else_does() -> None:
    text = "security: [{bearer: []}]\n"
    assert entering(Stage(read_operations(contract(lets_in=text)))) is not None


def test_whether_a_caller_sees_the_account_of_another_is_undecided() -> None:
    made = "{type: object, required: [id], properties: {id: {type: integer}}}"
    source = contract(register="/users", more="/users/{id}", parameters=ONE, made=made)
    context = Context(
        source=source, application=Application("fastapi", "teas:app"), options={"auth": "entered"}
    )
    cases = [each for each in contract_cases(read_operations(source)) if each.subject == "GET /users/{id}"]
    answers = [ContractGenerator().generate(case, context) for case in cases]
    (shown,) = [each for each in answers if isinstance(each, Draft) and "is_answered_with_200" in each.name]
    assert "if response.status_code in (401, 403, 404):\n        pytest.skip(" in shown.source


@pytest.mark.parametrize("status", [200, 401])
def test_the_service_knows_its_caller_where_it_says_who_that_is(status: int) -> None:
    fixture = entering(Stage(read_operations(contract(more="/users/me"))))
    assert fixture is not None
    service = Teas("email", shows=status)
    if status == 200:
        assert let_in(fixture, service) == {"Authorization": "Bearer tea"}
        return
    with pytest.raises(AssertionError):
        let_in(fixture, service)


@pytest.mark.parametrize(
    ("where", "status"), [("", 500), ("register", 500), ("register", 404), ("login", 500)]
)
def test_a_service_that_lets_nobody_in_by_an_error_is_wrong(where: str, status: int) -> None:
    fixture = entering(Stage(read_operations(contract())))
    assert fixture is not None
    service = Teas("email")
    refusing = service.post
    service.post = lambda path, **given: (  # type: ignore[method-assign]
        Answer(status, {}) if path.endswith(where) else refusing(path, **given)
    )
    with pytest.raises(AssertionError):
        let_in(fixture, service)


@pytest.mark.parametrize(
    ("service", "words"),
    [
        (Teas("email", lets_in=Answer(401, {})), "does not let in whom POST /auth/register made"),
        (Teas("email", refuses="email"), "what comes first is refused: 400"),
    ],
)
def test_who_is_not_let_in_leaves_the_test_undecided(service: Teas, words: str) -> None:
    fixture = entering(Stage(read_operations(contract())))
    assert fixture is not None
    with pytest.raises(pytest.skip.Exception, match=words):
        let_in(fixture, service)


@pytest.mark.parametrize(
    "source",
    [
        contract(register="/auth/invite"),
        contract(account="{nick: {type: string}, password: {type: string}}"),
    ],
    ids=["no registration", "no name in common"],
)
def test_nobody_is_let_in_where_the_contract_does_not_say_how(source: Memory) -> None:
    assert entering(Stage(read_operations(source))) is None


def test_the_fixture_stands_in_the_conftest() -> None:
    fixture = entering(Stage(read_operations(contract())))
    text = conftest(Application("fastapi", "teas:app"), way_in=fixture)
    assert "no credentials are known" not in text
    assert text.count("def auth(") == 1
    compile(text, "conftest.py", "exec")


@pytest.mark.parametrize(("more", "undecided"), [("/cups", "== 403"), ("/users/me", "in (401, 403)")])
def test_what_such_a_caller_may_not_do_is_undecided(more: str, undecided: str) -> None:
    source = contract(more=more)
    context = Context(
        source=source, application=Application("fastapi", "teas:app"), options={"auth": "entered"}
    )
    found = {}
    for case in contract_cases(read_operations(source)):
        answer = ContractGenerator().generate(case, context)
        if isinstance(answer, Draft) and case.subject == "GET /teas":
            found[case.technique] = answer.source
    assert f"if response.status_code {undecided}:\n        pytest.skip(" in found[Technique.SUCCESS]
    assert "pytest.skip" not in found[Technique.AUTH_MISSING]
