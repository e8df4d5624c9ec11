"""Tests of the superuser that tests of a site of Django make for themselves."""

from __future__ import annotations

import pytest

from engine.generators.applications.shared_fixtures import conftest
from engine.generators.applications.site_callers import lets_in_accounts, site_caller
from engine.generators.operations.contract import ContractGenerator, stage_of
from graph.facts import Extract, Fact, Kind, Location, Tag
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from ingest.python.reader import PythonReader
from planner.cases import Technique
from planner.contracts.cases import contract_cases
from planner.contracts.operations import read_operations
from planner.generator import Application, Context, Draft

SITE = Application("django", "django.core.wsgi:get_wsgi_application()", settings="site.settings")
SESSION = "{type: apiKey, in: cookie, name: sessionid}"
BASIC = "{type: http, scheme: basic}"
BEARER = "{type: http, scheme: bearer}"
TOKEN = "{type: apiKey, in: header, name: Authorization, description: 'with required prefix \"Token\"'}"


def made(schemes: dict[str, str], code: str = "", target: Application = SITE) -> str | None:
    told = ", ".join(f"{name}: {scheme}" for name, scheme in schemes.items())
    ways = ", ".join(f"{{{name}: []}}" for name in schemes)
    contract = f"""\
openapi: 3.0.3
info: {{title: Shop, version: '1'}}
components: {{securitySchemes: {{{told}}}}}
paths: {{/carts: {{get: {{security: [{ways}], responses: {{'200': {{description: All}}}}}}}}}}
"""
    source = Memory(
        [
            OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=contract, root="")),
            PythonReader().read(
                Document(path="urls.py", text=code, role=Role.PYTHON, module="urls"),
            ),
        ],
        {"urls.py": "urls"},
    )
    return site_caller(source, target, stage_of(source))


@pytest.mark.parametrize(
    ("schemes", "code", "by"),
    [
        ({"cookieAuth": SESSION, "basicAuth": BASIC}, "", "force_login"),
        ({"basicAuth": BASIC}, "", "b64encode"),
        ({"jwt": BEARER}, "from rest_framework_simplejwt.views import TokenRefreshView\n", "AccessToken"),
        ({"jwt": BEARER}, 'USED = ["rest_framework_simplejwt.authentication"]\n', "AccessToken"),
        (
            {"jwt": BEARER},
            "from ninja_jwt.authentication import JWTAuth\n",
            "from ninja_jwt.tokens import AccessToken",
        ),
        ({"tokenAuth": TOKEN}, 'INSTALLED_APPS = ["rest_framework.authtoken"]\n', "Token.objects"),
    ],
)
def test_a_superuser_is_known_in_the_way_that_the_contract_tells(
    schemes: dict[str, str], code: str, by: str
) -> None:
    fixtures = made(schemes, code)
    assert fixtures is not None
    assert by in fixtures
    text = conftest(SITE, way_in=fixtures)
    assert [text.count(f"def {name}(") for name in ("caller", "account", "auth", "stranger")] == [1, 1, 1, 1]
    compile(text, "conftest.py", "exec")


@pytest.mark.parametrize(
    ("schemes", "target"),
    [
        ({"jwt": BEARER}, SITE),
        ({"tokenAuth": TOKEN}, SITE),
        ({"key": "{type: apiKey, in: header, name: X-Key}"}, SITE),
        ({"cookieAuth": SESSION}, Application("flask", "shop:app")),
    ],
    ids=["tokens of something else", "tokens that are not kept", "a key", "no site of Django"],
)
def test_nobody_is_made_for_what_knows_its_callers_otherwise(
    schemes: dict[str, str], target: Application
) -> None:
    assert made(schemes, target=target) is None


@pytest.mark.parametrize(
    ("code", "is_sure"),
    [
        ("", True),
        (
            'AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend", "shop.backends.Phone"]\n',
            True,
        ),
        ('AUTHENTICATION_BACKENDS = ["shop.backends.Phone"]\n', False),
    ],
)
def test_accounts_are_let_in_as_django_does_unless_a_setting_says_otherwise(code: str, is_sure: bool) -> None:
    document = Document(path="settings.py", text=code, role=Role.PYTHON, module="settings")
    assert lets_in_accounts(Memory([PythonReader().read(document)], {"settings.py": "settings"})) is is_sure


def test_somebody_is_made_to_be_let_in_where_nothing_else_asks_for_a_caller() -> None:
    login = """\
openapi: 3.0.3
info: {title: Shop, version: '1'}
paths:
  /token:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [email, password],
        properties: {email: {type: string}, password: {type: string}}}}}}
      responses: {'200': {description: In}}
"""
    contract = OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=login, root=""))
    source = Memory([contract])
    assert "def account(caller)" in (site_caller(source, SITE, stage_of(source)) or "")


OPEN = """\
openapi: 3.0.3
info: {title: Library, version: '1'}
components: {securitySchemes: {cookie: {type: apiKey, in: cookie, name: sessionid}}}
paths:
  /members/:
    post:
      security: [{cookie: []}, {}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [user],
        properties: {user: {type: integer}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id, user],
        properties: {id: {type: integer}, user: {type: integer}}}}}}}
"""


def test_whoever_a_field_names_is_made_where_nobody_has_to_say_who_they_are() -> None:
    """The code's framework refuses wrong credentials (401), which need not be given."""
    key = "POST /members/#401"
    refused = Fact(tag=Tag.CODE, kind=Kind.RESPONSE, key=key, name="401", source=Location("views.py", 1, 1))
    served = Fact(
        tag=Tag.CODE,
        kind=Kind.OPERATION,
        key="POST /members/",
        name="post",
        source=Location("views.py", 1, 1),
    )
    code = Extract(facts=[refused, served])
    source = Memory(
        [OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=OPEN, root="")), code]
    )
    assert not stage_of(source).operations["POST /members/"].secured
    assert "def caller(client)" in (site_caller(source, SITE, stage_of(source)) or "")
    (case,) = (c for c in contract_cases(read_operations(source)) if c.technique is Technique.SUCCESS)
    draft = ContractGenerator().generate(
        case, Context(source=source, application=SITE, options={"caller": "own"})
    )
    assert isinstance(draft, Draft)
    assert 'client.post("/members/", json={"user": caller.pk})' in draft.source


def test_callers_are_made_as_the_site_registers_them() -> None:
    text = """\
openapi: 3.0.3
info: {title: Shop, version: '1'}
components: {securitySchemes: {tokenAuth: {type: apiKey, in: header, name: Authorization,
  description: 'with required prefix "Token"'}}}
paths:
  /register/:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [username, password],
        properties: {username: {type: string, minLength: 3}, password: {type: string, minLength: 8}}}}}}
      responses: {'201': {description: Made}}
  /login/:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [username, password],
        properties: {username: {type: string}, password: {type: string}}}}}}
      responses: {'200': {description: In, content: {application/json: {schema: {type: object,
        properties: {token: {type: string}}}}}}}
  /carts: {get: {security: [{tokenAuth: []}], responses: {'200': {description: All}, '401': {description: Who}}}}
"""
    code = 'INSTALLED_APPS = ["rest_framework.authtoken"]\n'
    source = Memory(
        [
            OpenApiReader().read(Document(path="api.yaml", role=Role.CONTRACT, text=text, root="")),
            PythonReader().read(Document(path="urls.py", text=code, role=Role.PYTHON, module="urls")),
        ],
        {"urls.py": "urls"},
    )
    fixtures = site_caller(source, SITE, stage_of(source))
    assert fixtures is not None
    told: dict[str, object] = {}
    exec(fixtures[fixtures.index("REGISTRATION") :].split("\n\n\n")[0], told)  # noqa: S102 - written by ourselves
    assert told["REGISTRATION"] == "/register/"
    accounts = told["ACCOUNTS"]
    assert isinstance(accounts, dict)
    assert accounts["caller"].keys() == accounts["stranger"].keys() == {"username", "password"}
    assert accounts["caller"]["username"] != accounts["stranger"]["username"]
    compile(conftest(SITE, way_in=fixtures), "conftest.py", "exec")


def test_a_conftest_whose_callers_are_of_another_kind_says_that_there_is_no_second_one() -> None:
    text = conftest(SITE, way_in="@pytest.fixture\ndef auth():\n    return {}\n")
    assert text.count("def stranger():") == 1
    compile(text, "conftest.py", "exec")
