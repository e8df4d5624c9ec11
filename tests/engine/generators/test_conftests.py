"""The shared conftest of generated tests: each framework's client says the same, where the framework is installed."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from engine.generators.applications.shared_fixtures import conftest
from planner.generator import Application

FASTAPI = """\
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

app = FastAPI()

@app.api_route("/echo", methods=["GET", "POST", "PUT", "DELETE"])
async def echo(request: Request):
    kind = request.headers.get("content-type", "")
    body = await request.json() if "json" in kind else None
    answer = {"method": request.method, "query": dict(request.query_params), "body": body}
    return JSONResponse({**answer, "header": request.headers.get("x-mark")}, 201, {"X-Made": "yes"})

@app.get("/broken")
def broken():
    raise NotImplementedError
"""
STARLETTE = """\
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

async def echo(request):
    kind = request.headers.get("content-type", "")
    body = await request.json() if "json" in kind else None
    answer = {"method": request.method, "query": dict(request.query_params), "body": body}
    return JSONResponse({**answer, "header": request.headers.get("x-mark")}, 201, {"X-Made": "yes"})

def broken(request):
    raise NotImplementedError

METHODS = ["GET", "POST", "PUT", "DELETE"]
app = Starlette(routes=[Route("/echo", echo, methods=METHODS), Route("/broken", broken)])
"""
FLASK = """\
from flask import Flask, jsonify, request

app = Flask(__name__)

@app.route("/echo", methods=["GET", "POST", "PUT", "DELETE"])
def echo():
    answer = {"method": request.method, "query": request.args.to_dict(), "body": request.get_json(silent=True)}
    return jsonify({**answer, "header": request.headers.get("x-mark")}), 201, {"X-Made": "yes"}

@app.get("/broken")
def broken():
    raise NotImplementedError
"""
AIOHTTP = """\
from aiohttp import web

async def echo(request):
    body = await request.json() if "json" in request.content_type else None
    answer = {"method": request.method, "query": dict(request.query), "body": body}
    answer["header"] = request.headers.get("x-mark")
    return web.json_response(answer, status=201, headers={"X-Made": "yes"})

async def broken(request):
    raise NotImplementedError

app = web.Application()
app.router.add_route("*", "/echo", echo)
app.router.add_get("/broken", broken)
"""
LITESTAR = """\
from litestar import HttpMethod, Litestar, Request, Response, get, route

@route("/echo", http_method=[HttpMethod.GET, HttpMethod.POST, HttpMethod.PUT, HttpMethod.DELETE], status_code=201)
async def echo(request: Request) -> Response:
    body = await request.json() if "json" in request.headers.get("content-type", "") else None
    answer = {"method": request.method, "query": dict(request.query_params), "body": body}
    answer["header"] = request.headers.get("x-mark")
    return Response(answer, status_code=201, headers={"X-Made": "yes"})

@get("/broken")
async def broken() -> None:
    raise NotImplementedError

app = Litestar([echo, broken])
"""
DJANGO = """\
import json

from django.conf import settings
from django.core.cache import cache
from django.core.wsgi import get_wsgi_application
from django.http import JsonResponse
from django.urls import path

settings.configure(
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["shop.example.org"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    SECRET_KEY="for the test",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
)

def echo(request):
    body = json.loads(request.body) if "json" in request.content_type and request.body else None
    answer = {"method": request.method, "query": request.GET.dict(), "body": body}
    answer["header"] = request.headers.get("x-mark")
    return JsonResponse(answer, status=201, headers={"X-Made": "yes"})

def broken(request):
    raise NotImplementedError

def limited(request):
    cache.set("asked", cache.get("asked", 0) + 1)
    return JsonResponse({"asked": cache.get("asked")}, status=429 if cache.get("asked") > 1 else 200)

urlpatterns = [path("echo", echo), path("broken", broken), path("limited", limited)]
app = get_wsgi_application()
"""
TESTS = """\
import pytest

def test_what_is_sent_arrives(client):
    response = client.post("/echo", params={"a": "b"}, json={"c": [1]}, headers={"x-mark": "m"})

    assert response.status_code == 201
    assert response.headers["x-made"] == "yes"
    assert response.json() == {"method": "POST", "query": {"a": "b"}, "body": {"c": [1]}, "header": "m"}


def test_other_methods_and_no_body(client):
    assert client.request("DELETE", "/echo").json()["method"] == "DELETE"
    assert client.put("/echo").json()["body"] is None


def test_an_error_of_the_application_is_an_answer(client, request, caplog):
    assert client.get("/broken").status_code == 500
    raised = [each.exc_info[0] for each in caplog.records if each.exc_info]
    assert raised == [NotImplementedError] or type(client).__module__.startswith("litestar")


def test_what_is_asked_for_first_is_answered(client, arranged):
    assert arranged(client.post("/echo", json={"c": 1}), 200, shows="body.c").json()["body"] == {"c": 1}


def test_what_is_asked_for_first_and_is_not_there_fails(client, arranged):
    with pytest.raises(AssertionError, match="404"):
        arranged(client.get("/nothing"), 200)


def test_what_shows_nothing_decides_nothing(client, arranged):
    with pytest.raises(pytest.skip.Exception, match="/echo, which comes first, shows no body.d"):
        arranged(client.post("/echo", json={"c": 1}), 201, shows="body.d")


def test_what_is_refused_first_decides_nothing(client, arranged):
    answer = client.get("/nothing")
    answer.status_code = 422
    with pytest.raises(pytest.skip.Exception, match="(?s)GET .*/nothing, which comes first, is refused: 422 .*; the"):
        arranged(answer, 200, unknown="which c it takes")


def test_what_breaks_first_decides_nothing_unless_it_is_not_implemented(client, arranged):
    answer = client.get("/broken")
    with pytest.raises(AssertionError, match="500"):
        arranged(answer, 200)
    if isinstance(getattr(client, "raised", None), NotImplementedError):
        client.raised = ValueError("no tea")
        with pytest.raises(pytest.skip.Exception, match="/broken, which comes first, breaks: 500 ValueError: no tea"):
            arranged(answer, 200)


def test_what_is_not_there(client):
    assert client.get("/nothing").status_code == 404
"""
APPLICATIONS = {
    "fastapi": FASTAPI, "starlette": STARLETTE, "flask": FLASK, "aiohttp": AIOHTTP, "litestar": LITESTAR,
    "django": DJANGO,
}  # fmt: skip


OLD_DJANGO = """\
import django.test

class Client(django.test.Client):
    def generic(self, *words, content_type="", **told):
        assert "headers" not in told, "which versions before 4.2 take for a variable of the server"
        answer = super().generic(*words, content_type=content_type, **told)
        answer.__dict__["_headers"] = answer.__dict__.pop("headers")
        return answer

django.http.HttpResponseBase.__getitem__ = lambda self, name: self.__dict__["_headers"][name]
django.test.Client = Client
"""
OLD = {"django as it was": DJANGO + OLD_DJANGO}


def _ran(folder: Path, *names: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), *names],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


@pytest.mark.parametrize("framework", [*APPLICATIONS, *OLD])
def test_the_client_of_each_framework_keeps_the_contract_of_the_fixture(
    framework: str, tmp_path: Path
) -> None:
    code = {**APPLICATIONS, **OLD}[framework]
    framework = framework.partition(" ")[0]
    if find_spec(framework) is None:
        pytest.skip(f"{framework} is not installed")
    (tmp_path / "shop.py").write_text(code, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(conftest(Application(framework, "shop:app")), encoding="utf-8")
    (tmp_path / "test_shop.py").write_text(TESTS, encoding="utf-8")

    done = _ran(tmp_path, ".")

    assert done.returncode == 0, done.stdout + done.stderr


def test_how_often_a_test_of_django_asked_is_forgotten_after_it(tmp_path: Path) -> None:
    if find_spec("django") is None:
        pytest.skip("django is not installed")
    (tmp_path / "shop.py").write_text(DJANGO, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(conftest(Application("django", "shop:app")), encoding="utf-8")
    once = 'def test_{}(client):\n    assert client.get("/limited").status_code == 200\n'
    (tmp_path / "test_shop.py").write_text(once.format("first") + once.format("second"), encoding="utf-8")

    done = _ran(tmp_path, ".")

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("place", ["shop/main.py", "src/shop.py", "app.py"])
@pytest.mark.parametrize("framework", ["fastapi", "flask"])
def test_an_application_that_came_after_its_tests_is_looked_for(
    framework: str, place: str, tmp_path: Path
) -> None:
    if find_spec(framework) is None:
        pytest.skip(f"{framework} is not installed")
    folder = tmp_path / "tests/crossfact"
    folder.mkdir(parents=True)
    (folder / "conftest.py").write_text(conftest(Application("", "", exists=False)), encoding="utf-8")
    (folder / "test_shop.py").write_text(TESTS, encoding="utf-8")
    before = _ran(tmp_path, "tests")
    assert "NotImplementedError: there is no application yet" in before.stdout, before.stdout

    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / "another.py").write_text("names = list('ab')\napplication_name = str(1)\n", encoding="utf-8")
    (tmp_path / place).write_text(APPLICATIONS[framework], encoding="utf-8")
    done = _ran(tmp_path, "tests")

    assert done.returncode == 0, done.stdout + done.stderr


def test_known_credentials_stand_in_the_fixture() -> None:
    text = conftest(Application("fastapi", "shop:app"), {"Authorization": "Bearer change-me"})

    assert 'return {"Authorization": "Bearer change-me"}' in text
    assert "no credentials are known" not in text


def test_a_base_url_needs_no_import() -> None:
    text = conftest(Application("", "http://localhost:8000"))

    assert 'base_url="http://localhost:8000"' in text
    assert "importlib" not in text


def test_warnings_stay_warnings_in_a_project_that_makes_errors_of_them(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n", encoding="utf-8")
    (tmp_path / "conftest.py").write_text(conftest(None), encoding="utf-8")
    (tmp_path / "test_shop.py").write_text(
        "import warnings\n\nimport pytest\n\n\n@pytest.mark.spec('spec:function:shop.old')\n"
        "def test_it():\n    warnings.warn('old', DeprecationWarning)\n",
        encoding="utf-8",
    )
    done = _ran(tmp_path, ".")
    assert done.returncode == 0, done.stdout + done.stderr


KEEPER = """\
import contextlib

import pytest

class Keeper:
    allowed = False

    @contextlib.contextmanager
    def unblock(self):
        Keeper.allowed = True
        yield
        Keeper.allowed = False

class Plugin:
    @pytest.fixture(scope="session")
    def django_db_blocker(self):
        from django.db.backends.base.base import BaseDatabaseWrapper
        connect = BaseDatabaseWrapper.ensure_connection

        def ensure_connection(self):
            assert Keeper.allowed, "Database access not allowed"
            return connect(self)

        BaseDatabaseWrapper.ensure_connection = ensure_connection
        return Keeper()

def pytest_configure(config):
    config.pluginmanager.register(Plugin(), "django")
"""
SITE_WITH_DATABASE = """\
from django.conf import settings

settings.configure(
    ROOT_URLCONF=__name__, SECRET_KEY="tea", INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
)

from django.core.wsgi import get_wsgi_application
from django.http import JsonResponse
from django.urls import path

def count(request):
    from django.contrib.auth.models import User

    return JsonResponse({"users": User.objects.count()})

urlpatterns = [path("users", count)]
app = get_wsgi_application()
"""


UNSET = KEEPER.replace("        return Keeper()", "        Keeper.allowed = True")


@pytest.mark.parametrize(
    "plugin", [KEEPER, UNSET], ids=["that keeps tests from databases", "without settings"]
)
def test_a_plugin_lets_these_tests_have_their_databases(plugin: str, tmp_path: Path) -> None:
    if find_spec("django") is None:
        pytest.skip("django is not installed")
    (tmp_path / "shop.py").write_text(SITE_WITH_DATABASE, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(plugin, encoding="utf-8")
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "conftest.py").write_text(conftest(Application("django", "shop:app")), encoding="utf-8")
    (folder / "test_shop.py").write_text(
        "def test_users(client):\n    assert client.get('/users').json() == {'users': 0}\n", encoding="utf-8"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "tests"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stdout + done.stderr
