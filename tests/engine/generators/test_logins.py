"""Tests of what is for those who are not let in yet: logins, forgotten passwords, what another service sends back."""

from __future__ import annotations

import pytest

from engine.generators.operations.contract import ContractGenerator
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from planner.cases import Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Declined, Draft

NAMES = "username: {type: string}, password: {type: string, minLength: 8}"


def answers(
    more: str = "/teas: {get: {responses: {'200': {description: All}}}}",
    *,
    made: str = "'201': {description: Made}",
    shown: str = "token: {type: string}",
    entered: str = "",
    account: str = "unknown",
    schemes: str = "",
) -> dict[str, str]:
    """The tests of a service that makes accounts, by their names; what is missing by the cases that have none."""
    text = f"""\
openapi: 3.1.0
info: {{title: Teas, version: '1'}}
security: [{{bearer: []}}]
components: {{securitySchemes: {{bearer: {{type: http, scheme: bearer}}{schemes}}}}}
paths:
  /register:
    post:
      security: []
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object,
        required: [username, password], properties: {{{NAMES}}}}}}}}}}}
      responses: {{{made}}}
  /login:
    post:
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object,
        required: [username, password], properties: {{{NAMES}}}}}}}}}}}
      responses: {{{entered}'200': {{description: In, content: {{application/json: {{schema: {{type: object,
        properties: {{{shown}}}}}}}}}}}}}
  {more}
"""
    source = Memory([OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=text, root=""))])
    context = Context(
        source=source,
        application=Application("flask", "teas:app"),
        options={"auth": "entered", "account": account},
    )
    found = {}
    for case in contract_cases(read_operations(source)):
        match ContractGenerator().generate(case, context):
            case Draft() as draft:
                found[draft.name] = draft.source
            case Declined() as declined:
                found[f"{case.subject} {case.technique}"] = declined.needs
    return found


def test_a_login_lets_in_the_account_that_is_made_before() -> None:
    source = answers()["test_post_login_is_answered_with_200"]
    assert (
        'arranged(\n        client.post("/register"' in source or 'arranged(client.post("/register"' in source
    )
    made, _, asked = source.partition("response = client.post(")
    name = made.partition('"username": ')[2].partition(",")[0]
    assert f'"username": {name}' in asked
    assert "(400, 401, 403)" not in asked


def test_whom_it_lets_in_may_have_to_be_confirmed_first() -> None:
    more = "/verify-email: {post: {responses: {'200': {description: Done}}}}"
    source = answers(more)["test_post_login_is_answered_with_200"]
    assert "if response.status_code in (400, 401, 403):\n        pytest.skip(" in source


def test_what_lets_in_needs_no_credentials_where_the_contract_asks_for_them_at_everything() -> None:
    found = answers()
    assert f"POST /login {Technique.AUTH_MISSING}" not in found
    assert "headers=auth" not in found["test_post_login_is_answered_with_200"]
    assert "headers=auth" in found["test_get_teas_is_answered_with_200"]


def _of_account(path: str, name: str) -> dict[str, str]:
    return answers(f"""{path}:
    post:
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, required: [{name}],
        properties: {{{name}: {{type: string}}}}}}}}}}}}
      responses: {{'202': {{description: Sent}}, '422': {{description: Invalid}}}}
""")


@pytest.mark.parametrize("path", ["/forgot-password", "/auth/request-otp", "/send_verification"])
def test_who_forgot_a_password_has_to_be_known(path: str) -> None:
    found = _of_account(path, "email")
    [source] = [text for name, text in found.items() if name.endswith("_is_answered_with_202")]
    assert "if response.status_code in (400, 404, 422):\n        pytest.skip(" in source
    [source] = [text for name, text in found.items() if name.endswith("_needs_email")]
    assert 'unknown="which account is there"' in source


def test_who_forgot_a_password_is_made_where_the_contract_tells_how() -> None:
    found = _of_account("/forgot-password", "username")
    for name in ("is_answered_with_202", "needs_username"):
        made, _, asked = found[f"test_post_forgot_password_{name}"].partition('"/forgot-password"')
        known = made.partition('"username": ')[2].partition(",")[0]
        assert "/register" in made and f'json={{"username": {known}}}' in asked


@pytest.mark.parametrize("path", ["/login/json", "/auth/token"])
def test_a_login_may_be_called_by_what_it_takes(path: str) -> None:
    more = f"""{path}:
    post:
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object,
        required: [username, password], properties: {{{NAMES}}}}}}}}}}}
      responses: {{'200': {{description: In}}}}
"""
    [source] = [
        text
        for name, text in answers(more).items()
        if name.endswith("_is_answered_with_200") and path in text
    ]
    assert '"/register"' in source


@pytest.mark.parametrize("path", ["/refresh", "/token-refresh", "/auth/refresh_token"])
def test_what_renews_a_token_without_a_body_is_not_asked_with_another_one(path: str) -> None:
    found = answers(f"{path}: {{post: {{responses: {{'200': {{description: Another}}}}}}}}")
    assert "the token by which" in found[f"POST {path} success"]
    assert any("is_refused_without_credentials" in name and "refresh" in name for name in found)


@pytest.mark.parametrize(
    ("parameter", "told", "is_sent"),
    [
        ("name: If-Match, in: header, required: true, schema: {type: string}", "", True),
        ("name: If-Match, in: header, schema: {type: string}", "'428': {description: Which one}, ", True),
        ("name: If-Match, in: header, schema: {type: string}", "", False),
    ],
)
def test_any_version_of_a_thing_may_be_changed(parameter: str, told: str, is_sent: bool) -> None:
    more = f"""/tea:
    delete:
      parameters: [{{{parameter}}}]
      responses: {{{told}'204': {{description: Gone}}}}
"""
    source = answers(more)["test_delete_tea_is_answered_with_204"]
    assert ('"If-Match": "*"' in source) == is_sent
    assert ("if response.status_code == 412:\n        pytest.skip(" in source) == is_sent


@pytest.mark.parametrize(
    ("path", "is_asked"),
    [("/google/callback", False), ("/vouchers", True)],
    ids=["sent back", "a code of ours"],
)
def test_a_code_that_another_service_gives_out_is_not_made_up(path: str, is_asked: bool) -> None:
    more = f"""\
{path}:
    get:
      parameters: [{{name: code, in: query, required: true, schema: {{type: string}}}}]
      responses: {{'200': {{description: Done, content: {{application/json: {{schema: {{type: object}}}}}}}}}}
"""
    found = answers(more)
    told = [needs for name, needs in found.items() if name.startswith(f"GET {path} ")]
    assert ("another service gives it out" in " ".join(told)) is not is_asked


RENEWING = """\
/token/refresh:
    post:
      security: []
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [refresh],
        properties: {refresh: {type: string}}}}}}
      responses: {'200': {description: Renewed}}
"""


@pytest.mark.parametrize(
    ("shown", "place"),
    [
        ("token: {type: string}, refresh: {type: string}", '["refresh"]'),
        (
            "data: {type: object, properties: {token: {type: string}, refresh: {type: string}}}",
            '["data"]["refresh"]',
        ),
    ],
)
def test_what_a_login_gives_out_renews_it(shown: str, place: str) -> None:
    source = answers(RENEWING, shown=shown)["test_post_token_refresh_is_answered_with_200"]
    asked = source.partition("response = client.post(")[2]
    assert 'client.post("/register"' in source and 'client.post("/login"' in source
    assert f"login.json(){place}" in asked
    assert "headers=auth" not in source


def test_what_no_login_gives_out_is_not_made_up() -> None:
    told = {needs for name, needs in answers(RENEWING).items() if name.startswith("POST /token/refresh ")}
    assert told == {"a refresh that POST /token/refresh takes: its contract gives no example of one"}


@pytest.mark.parametrize(
    ("words", "is_asked"),
    [("the address has an account", True), ("Conflict", True), ("Registration is not open yet", False)],
)
def test_an_account_is_made_once(words: str, is_asked: bool) -> None:
    found = answers(made=f"'201': {{description: Made}}, '409': {{description: {words}}}")
    source = found.get("test_post_register_is_refused_with_409_the_second_time", "")
    assert (source.count('client.post("/register"') == 2) is is_asked


@pytest.mark.parametrize(
    ("path", "is_asked"), [("/reset-password", False), ("/verify-email", False), ("/settings", True)]
)
def test_a_key_that_was_sent_by_mail_is_not_made_up(path: str, is_asked: bool) -> None:
    more = f"""\
{path}:
    post:
      security: []
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, required: [key],
        properties: {{key: {{type: string}}}}}}}}}}}}
      responses: {{'204': {{description: Done}}}}
"""
    told = " ".join(needs for name, needs in answers(more).items() if name.startswith(f"POST {path} "))
    assert ("a key that" not in told) is is_asked


def test_a_login_refuses_another_password_than_the_account_has() -> None:
    found = answers(entered="'401': {description: No}, ")
    source = found["test_post_login_is_refused_with_401_for_a_wrong_password"]
    assert source.count('client.post("/login"') == 2
    assert '"password": "Another-password-5"' in source.partition("response = ")[2]
    assert "response.status_code == 401" in source


def test_a_token_that_may_come_in_a_cookie_is_not_made_up_either() -> None:
    shown = "properties: {access: {type: string, readOnly: true},"
    told = answers(
        RENEWING.replace("required: [refresh],", "required: [access],").replace("properties: {", shown)
    )
    assert {needs for name, needs in told.items() if name.startswith("POST /token/refresh ")} == {
        "a refresh that POST /token/refresh takes: its contract gives no example of one"
    }


TOKEN = """\
/token:
    post:
      security: []
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [login, password],
        properties: {login: {type: string}, password: {type: string, format: password}}}}}}
      responses: {'200': {description: In, content: {application/json: {schema: {type: object, properties:
        {refresh: {type: string}, access: {type: string}}}}}}}
"""


@pytest.mark.parametrize("account", ["known", "unsure", "unknown"])
def test_somebody_whom_a_fixture_makes_is_let_in(account: str) -> None:
    found = answers(f"{TOKEN}  {RENEWING}", account=account)
    login = found.get("test_post_token_is_answered_with_200", "")
    renewed = found.get("test_post_token_refresh_is_answered_with_200", "")
    assert '["refresh"] ==' not in renewed, "another one may be given for it"
    assert ('"login": account["name"]' in login) is (account != "unknown")
    assert ("def test_post_token_is_answered_with_200(client, account" in login) is (account != "unknown")
    assert ('account["password"]' in renewed and 'login.json()["refresh"]' in renewed) is (
        account != "unknown"
    )
    assert ("if response.status_code in (400, 401, 403)" in login) is (account == "unsure")


def test_a_token_that_is_verified_is_one_that_a_login_gave() -> None:
    verifying = RENEWING.replace("/token/refresh", "/token/verify").replace("refresh", "token")
    found = answers(f"{TOKEN}  {verifying}", account="known")
    source = next(
        text for name, text in found.items() if name.startswith("test_post_token_verify_is_answered")
    )
    assert 'json={"token": login.json()["token"]}' in source


def test_what_asks_for_a_token_to_renew_by_waits_for_it() -> None:
    more = """\
/renewed: {post: {security: [{refresh: []}], responses: {'204': {description: Renewed}}}}
  /teas: {get: {responses: {'200': {description: All}}}}
"""
    told = answers(more, schemes=", refresh: {type: http, scheme: bearer}")
    (needs,) = [needs for name, needs in told.items() if name.startswith("POST /renewed ")][:1]
    assert needs.startswith("refresh token credentials for POST /renewed")
