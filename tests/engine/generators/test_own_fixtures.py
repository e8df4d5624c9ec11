"""The fixture by which a project's own tests come to its application: which one is used, and what is made of it."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from engine.generators.applications.conftest_files import Fixtures
from engine.generators.applications.own_fixtures import Prepared, own_headers, prepared
from engine.generators.applications.shared_fixtures import conftest
from planner.generator import Application
from tests.commands import inside

SHOP = """\
from fastapi import Depends, FastAPI

app = FastAPI()


def get_db():
    raise ConnectionError("no server")


@app.post("/teas", status_code=201)
def brew(tea: dict, db=Depends(get_db)):
    db.append(tea)
    return tea


@app.get("/teas")
def teas(db=Depends(get_db)):
    return db


@app.get("/broken")
def broken():
    raise NotImplementedError
"""
TESTS = """\
def test_each_test_has_what_the_project_prepares(client):
    assert client.get("/teas").json() == []
    assert client.post("/teas", json={"name": "Assam"}).status_code == 201
    assert client.get("/teas").json() == [{"name": "Assam"}]


def test_another_test_begins_anew(client, arranged):
    assert arranged(client.get("/teas"), 200).json() == []


def test_an_error_of_the_application_is_an_answer(client):
    assert client.get("/broken").status_code == 500
    assert isinstance(client.raised, NotImplementedError)
    assert client.get("/teas").status_code == 200 and client.raised is None
"""
HEAD = "import pytest\nfrom fastapi.testclient import TestClient\nfrom shop import app, get_db, get_current_user\n\n\n"
CLIENT = f"""{HEAD}@pytest.fixture
def db():
    return []


@pytest.fixture
def client(db):
    app.dependency_overrides[get_db] = lambda: db
    with TestClient(app) as client:
        yield client
    app.dependency_overrides.clear()
"""
AWAITED = """\
import pytest
from httpx import ASGITransport, AsyncClient
from shop import app, get_db


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
async def db():
    return []


@pytest.fixture(name="async_client")
async def a_client(db):
    app.dependency_overrides[get_db] = lambda: db
    async with AsyncClient(transport=ASGITransport(app=app), base_url="http://test") as ac:
        yield ac
    app.dependency_overrides.clear()
"""
FLASK = """\
import pytest
from shop import create_app, store


@pytest.fixture
def app():
    app = create_app({"STORE": "memory", "TESTING": True})
    with app.app_context():
        store.make()
        yield app


@pytest.fixture
def client(app):
    return app.test_client()
"""
CLIENT_OF_FASTAPI = Prepared("client", ".app")


def _project(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def _found(folder: Path, files: dict[str, str], framework: str = "fastapi") -> Prepared | None:
    return prepared(Fixtures(_project(folder, files), "tests/crossfact"), framework)


def _ran(folder: Path, *plugins: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugins, "tests"],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


@pytest.mark.parametrize(
    ("own", "plugins"),
    [(CLIENT, ()), (AWAITED, ("-p", "anyio"))],
    ids=["TestClient", "AsyncClient"],
)
def test_generated_tests_have_what_the_fixture_of_the_project_prepares(
    own: str, plugins: tuple[str, ...], tmp_path: Path
) -> None:
    own = own.replace(", get_current_user", "")
    found = _found(tmp_path, {"shop.py": SHOP, "tests/conftest.py": own})
    assert found is not None
    text = conftest(Application("fastapi", "shop:app"), own=found)
    _project(tmp_path, {"tests/crossfact/conftest.py": text, "tests/crossfact/test_shop.py": TESTS})

    done = _ran(tmp_path, *plugins)

    assert done.returncode == 0, done.stdout + done.stderr


def test_what_a_context_keeps_is_not_kept_from_one_request_of_flask_to_the_next(tmp_path: Path) -> None:
    if find_spec("flask") is None:
        pytest.skip("flask is not installed")
    shop = """\
from flask import Flask, g, jsonify

class store:
    made = False
    @classmethod
    def make(cls):
        cls.made = True

def create_app(config):
    app = Flask(__name__)
    app.config.update(config)

    @app.get("/known")
    def known():
        before, g.known = getattr(g, "known", False), True
        return jsonify(before=before, made=store.made, testing=app.testing)

    @app.get("/broken")
    def broken():
        raise NotImplementedError

    return app
"""
    tests = """\
def test_known(client):
    for _ in range(2):
        assert client.get("/known").json() == {"before": False, "made": True, "testing": True}
    assert client.get("/broken").status_code == 500
    assert isinstance(client.raised, NotImplementedError)
"""
    found = _found(tmp_path, {"shop.py": shop, "tests/conftest.py": FLASK}, "flask")
    assert found == Prepared("client", ".application")
    text = conftest(Application("flask", "shop:app"), own=found)
    _project(tmp_path, {"tests/crossfact/conftest.py": text, "tests/crossfact/test_shop.py": tests})

    done = _ran(tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_conftest_that_is_written_asks_for_the_fixture_of_the_project(tmp_path: Path) -> None:
    contract = (
        "openapi: 3.1.0\ninfo: {title: Teas, version: '1'}\npaths:\n  /teas:\n    get:\n      responses:\n"
    )
    contract += "        '200': {description: all, content: {application/json: {schema: {type: array}}}}\n"
    own = CLIENT.replace(", get_current_user", "")
    _project(tmp_path, {"shop.py": SHOP, "openapi.yaml": contract, "tests/conftest.py": own})

    done = inside(tmp_path, "go")

    assert "2 tests ran: 2 PASSED" in done.stdout, done.stdout + done.stderr
    assert "def client(client):" in (tmp_path / "tests/crossfact/conftest.py").read_text("utf-8")


@pytest.mark.parametrize(
    "files",
    [
        {"conftest.py": CLIENT},
        {"tests/conftest.py": "from tests.clients import client, db\n", "tests/clients.py": CLIENT},
        {"tests/conftest.py": "from .clients import *\n", "tests/clients.py": CLIENT},
        {"conftest.py": "pytest_plugins = ['tests.clients']\n", "tests/clients/__init__.py": CLIENT},
        {"tests/conftest.py": CLIENT.replace("fixture\ndef client", "fixture(name='client')\ndef a")},
        {"tests/conftest.py": CLIENT + "\n\n@pytest.fixture\ndef admin_client(client):\n    return client\n"},
        {
            "tests/conftest.py": f"{HEAD}web = TestClient(app)\n\n@pytest.fixture()\ndef client():\n    return web\n"
        },
        {
            "conftest.py": "import pytest\n\n@pytest.fixture\ndef client():\n    return 1\n",
            "tests/conftest.py": CLIENT,
        },
    ],
)
def test_a_client_is_found_wherever_tests_find_it(files: dict[str, str], tmp_path: Path) -> None:
    assert _found(tmp_path, files) == CLIENT_OF_FASTAPI


@pytest.mark.parametrize(
    ("settings", "decorator", "expected"),
    [
        ("", "pytest_asyncio.fixture", "pytest_asyncio.fixture"),
        ("", "pytest_asyncio.fixture(scope='session')", 'pytest_asyncio.fixture(loop_scope="session")'),
        ("[pytest]\nasyncio_mode = auto\n", "pytest.fixture", "pytest_asyncio.fixture"),
        ("", "pytest.fixture", None),
    ],
)
def test_a_client_to_be_awaited_is_used_where_a_plugin_runs_its_fixture(
    settings: str, decorator: str, expected: str | None, tmp_path: Path
) -> None:
    own = AWAITED.replace('@pytest.fixture\ndef anyio_backend():\n    return "asyncio"\n', "")
    own = own.replace('@pytest.fixture(name="async_client")\nasync def a_', f"@{decorator}\nasync def async_")
    found = _found(tmp_path, {"pytest.ini": settings, "tests/conftest.py": own})

    assert (found.waits if found else None) == expected


@pytest.mark.parametrize(
    "change",
    [
        ("[get_db] = lambda: db", "[get_current_user] = lambda: {'name': 'Ada'}"),
        ("[get_db] = lambda: db", ".update({get_db: lambda: db, get_current_user: dict})"),
        ("dependency_overrides[get_db] =", "dependency_overrides = {get_current_user: db}; a ="),
        ("    return []", "    app.dependency_overrides[get_current_user] = dict\n    return []"),
        ("lambda: db", "lambda: MagicMock()"),
        ("def client(db):", "def client(db, mocker):"),
        ("TestClient(app)", "TestClient(FastAPI())"),
        ("    with TestClient", "    app = FastAPI()\n    with TestClient"),
        ("    with TestClient(app) as client:\n        yield client", "    yield app.client()"),
        ("fastapi.testclient", "falcon.testing"),
        ("@pytest.fixture\ndef client", "def client"),
    ],
)
def test_a_client_that_answers_otherwise_than_the_application_is_none(
    change: tuple[str, str], tmp_path: Path
) -> None:
    assert change[0] in CLIENT
    assert _found(tmp_path, {"tests/conftest.py": CLIENT.replace(*change)}) is None


def test_conftests_that_cannot_be_read_offer_nothing(tmp_path: Path) -> None:
    assert _found(tmp_path, {"tests/conftest.py": "def client(:\n"}) is None
    assert prepared(Fixtures(tmp_path, "tests/crossfact"), "django") is None
    assert prepared(Fixtures(tmp_path / "nowhere", "tests/crossfact"), "flask") is None


def test_an_application_that_a_fixture_gives_is_used_where_no_client_is(tmp_path: Path) -> None:
    own = FLASK[: FLASK.index("\n\n@pytest.fixture\ndef client")]
    assert _found(tmp_path, {"tests/conftest.py": own}, "flask") == Prepared("app", "", entered=False)


USERS = """

@pytest.fixture
def user(db):
    db.append({"name": "Ada"})
    return 1


@pytest.fixture
def auth_headers(user):
    headers = {"Authorization": f"Bearer {user}"}
    return headers
"""
ADMINS = USERS.replace("user", "admin").replace("auth_headers", "admin_headers")
ASKING = """

@pytest.fixture
def auth_headers(client):
    answer = client.post("/teas", json={"token": "1"})
    return {"Authorization": answer.json()["token"]}
"""

TO_FILL_IN = """

@pytest.fixture
def auth_headers():
    return {"Authorization": "Bearer test-token"}
"""
STARTED = """\
from contextlib import asynccontextmanager
from fastapi import FastAPI

teas = []


@asynccontextmanager
async def lifespan(app):
    teas.append("Assam")
    yield


app = FastAPI(lifespan=lifespan)


@app.get("/teas")
def shown():
    return teas
"""


@pytest.mark.parametrize(
    "body", ["return TestClient(app)", "yield TestClient(app)", "client = TestClient(app)\n    return client"]
)
def test_an_application_that_nobody_has_started_is_started(body: str, tmp_path: Path) -> None:
    imports = "import pytest\nfrom fastapi.testclient import TestClient\nfrom shop import app\n"
    own = f"{imports}\n\n@pytest.fixture\ndef client():\n    {body}\n"
    found = _found(tmp_path, {"tests/conftest.py": own})
    assert found == Prepared("client", ".app", starts=True)
    tests = "def test_what_stands_there_at_first(client):\n    assert client.get('/teas').json() == TEAS\n"
    text = conftest(Application("fastapi", "shop:app"), own=found)
    written = {"tests/conftest.py": own, "tests/crossfact/conftest.py": text}
    _project(
        tmp_path,
        {**written, "shop.py": STARTED, "tests/crossfact/test_shop.py": tests.replace("TEAS", "['Assam']")},
    )
    assert _ran(tmp_path).returncode == 0
    broken = STARTED.replace('teas.append("Assam")', 'raise ConnectionError("no server")')
    _project(tmp_path, {"shop.py": broken, "tests/crossfact/test_shop.py": tests.replace("TEAS", "[]")})
    done = _ran(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def _headers(folder: Path, own: str, framework: str = "fastapi") -> str:
    found = _found(folder, {"tests/conftest.py": own}, framework)
    return own_headers(Fixtures(folder, "tests/crossfact"), found) or ""


def test_the_headers_of_who_may_do_most_are_used(tmp_path: Path) -> None:
    own = CLIENT.replace(", get_current_user", "") + USERS + ADMINS
    source = _headers(tmp_path, own)
    assert "def auth(admin_headers):\n" in source and "return dict(admin_headers)" in source
    tests = "def test_who_asks(auth, client):\n    assert auth == {'Authorization': 'Bearer 1'}\n"
    tests += "    assert client.get('/teas').json() == [{'name': 'Ada'}]\n"
    text = conftest(Application("fastapi", "shop:app"), own=CLIENT_OF_FASTAPI, way_in=source)
    files = {"tests/crossfact/conftest.py": text, "tests/crossfact/test_shop.py": tests}
    _project(tmp_path, {"shop.py": SHOP, **files})

    done = _ran(tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("own", "asked"),
    [
        (CLIENT + USERS, "auth_headers"),
        (CLIENT + ASKING, "auth_headers"),
        (CLIENT + USERS.replace("return headers", "return get_token_headers(user)"), "auth_headers"),
        (AWAITED + USERS, "auth_headers, anyio_backend"),
        (AWAITED + ASKING.replace("client", "async_client"), ""),
        (CLIENT + ASKING.replace("fixture", "fixture(scope='module')"), ""),
        (CLIENT + USERS.replace("auth_headers", "invalid_headers"), ""),
        (CLIENT + USERS.replace("Authorization", "Accept"), ""),
        (CLIENT + USERS.replace("return headers", "return user"), ""),
        (CLIENT + TO_FILL_IN, ""),
        (CLIENT + TO_FILL_IN + "\n\nKEYS = {'test-token': 'Ada'}\n", "auth_headers"),
        (USERS, ""),
    ],
)
def test_headers_are_used_where_generated_tests_can_ask_for_them(
    own: str, asked: str, tmp_path: Path
) -> None:
    source = _headers(tmp_path, own)
    assert source.partition("def auth(")[2].partition(")")[0] == asked


def test_headers_that_a_client_of_flask_is_asked_for_are_not_used(tmp_path: Path) -> None:
    assert _headers(tmp_path, FLASK + ASKING, "flask") == ""
