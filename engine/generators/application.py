"""Finds the application that tests call, and writes the conftest that gives them a client of it."""

from __future__ import annotations

import re
from pathlib import Path

from graph.errors import UsageError
from graph.facts import Fact, Kind, Tag
from graph.files import read_plain, replace_file
from graph.source import FactSource
from planner.generator import Application

_CONSTRUCTORS = {
    "FastAPI": "fastapi",
    "Starlette": "starlette",
    "Flask": "flask",
    "APIFlask": "flask",
    "OpenAPI": "flask",
    "Litestar": "litestar",
    "Application": "aiohttp",
}
_CALL = re.compile(r"(?:[\w.]+\.)?(\w+)\(")
_PLACE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(?:\.\w+)*(?:\(\))?")
_IMPORTED = re.compile(r"importlib\.import_module\(\"([\w.]+)\"\)")
_MARK = "# Written by crossfact"


def application(source: FactSource, configured: str) -> Application | None:
    """The application: as configured (`todo.main:app`, `shop:create_app()`, a URL), else the one that the code makes.

    None where there is none or more than one. Raises UsageError for a setting that names none.
    """
    if configured.startswith(("http://", "https://")):
        return Application("", configured)
    made = {f"{module}:{fact.name}": framework for fact, module, framework in _made(source)}
    if configured:
        if not _PLACE.fullmatch(configured):
            raise UsageError(
                f"app: `{configured}` names no application", "Write it as module:name, `todo.main:app`."
            )
        return Application(made.get(configured, ""), configured, exists=configured in made)
    if len(made) == 1:
        ((place, framework),) = made.items()
        return Application(framework, place)
    return None


def _made(source: FactSource) -> list[tuple[Fact, str, str]]:
    """The attributes at the top of modules that a framework's constructor makes, each with its module and framework."""
    found = []
    for fact in source.facts(tag=Tag.CODE, kinds={Kind.ATTRIBUTE}):
        call = _CALL.match(str(fact.aspects.get("value", "")))
        framework = _CONSTRUCTORS.get(call[1]) if call else None
        module = source.module_of(fact)
        if framework is not None and fact.key == f"{module}.{fact.name}":
            found.append((fact, module, framework))
    return found


def write_conftest(root: Path, folder: str, target: Application | None) -> bool:
    """Write the shared conftest of generated tests, and say whether it changed; one that a person took over is kept.

    A person takes it over by removing its first line.
    """
    file = root / folder / "conftest.py"
    try:
        content = read_plain(file)
    except (OSError, ValueError) as error:
        raise UsageError(f"{file}: cannot be read: {error}", "Mend it, or move it away.") from error
    text = conftest(target)
    if content is not None and (
        content.decode("utf-8", "replace") == text or not content.decode("utf-8", "replace").startswith(_MARK)
    ):
        return False
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_file(file, text.encode())
    return True


def called_module(root: Path, folder: str) -> str:
    """The module that the shared conftest of generated tests takes the application from; empty where it tells none."""
    try:
        content = read_plain(root / folder / "conftest.py")
    except (OSError, ValueError):
        return ""
    found = _IMPORTED.search((content or b"").decode("utf-8", "replace"))
    return found[1] if found else ""


def conftest(target: Application | None) -> str:
    """The text of the conftest: a marker, and, where there is an application, the fixtures `client` and `auth`."""
    if target is None:
        return _MARKER.format(mark=_MARK)
    return _CONFTEST.format(mark=_MARK, imports=_imports(target), client=_client(target))


_MARKER = '''\
{mark}; remove this line to take the file over.
"""What the tests made from the specs share."""


def pytest_configure(config):
    """Register the marker that cites the facts which a test checks."""
    config.addinivalue_line("markers", "spec(*facts): the facts of the specs that this test checks")
'''
_CONFTEST = '''\
{mark}; remove this line to take the file over.
"""What the tests made from the specs share: a client of the application, and its credentials."""

{imports}import pytest


def pytest_configure(config):
    """Register the marker that cites the facts which a test checks."""
    config.addinivalue_line("markers", "spec(*facts): the facts of the specs that this test checks")


{client}
@pytest.fixture
def auth():
    """The headers of a caller who may do everything. Fill them in for your application."""
    pytest.skip("no credentials are known: fill in the fixture `auth` in tests/crossfact/conftest.py")
'''


def _imports(target: Application) -> str:
    if "://" in target.place:
        return ""
    return (
        "import importlib\nimport json\n\n"
        if target.framework in ("flask", "aiohttp")
        else "import importlib\n\n"
    )


def _client(target: Application) -> str:
    if "://" in target.place:
        return _BY_URL.format(url=target.place)
    module, _, name = target.place.partition(":")
    load = f'importlib.import_module("{module}").{name}'
    return _CLIENTS.get(target.framework, _ANY).replace("LOAD", load)


_BY_URL = '''\
@pytest.fixture
def client():
    """A client of the service under test."""
    import httpx

    with httpx.Client(base_url="{url}") as client:
        yield client

'''
_STARLETTE = '''\
@pytest.fixture
def client():
    """A client of the application under test."""
    application = LOAD
    from starlette.testclient import TestClient

    with TestClient(application, raise_server_exceptions=False) as client:
        yield client

'''
_LITESTAR = '''\
@pytest.fixture
def client():
    """A client of the application under test."""
    application = LOAD
    from litestar.testing import TestClient

    with TestClient(application, raise_server_exceptions=False) as client:
        yield client

'''
_RESPONSE = '''\
class Response:
    """What the application answered: its status, headers and content."""

    def __init__(self, status_code, headers, content):
        self.status_code = status_code
        self.headers = headers
        self.content = content

    @property
    def text(self):
        """The content as text."""
        return self.content.decode()

    def json(self):
        """The content as JSON."""
        return json.loads(self.content)


class Client:
    """Sends requests to the application in this process."""

    def __init__(self, send):
        self._send = send

    def request(self, method, url, *, params=None, json=None, data=None, headers=None):
        """The answer to one request."""
        return self._send(method, url, params or {}, json, data, headers or {})

    def __getattr__(self, name):
        return lambda url, **given: self.request(name.upper(), url, **given)


'''
_FLASK = (
    _RESPONSE
    + '''\
@pytest.fixture
def client():
    """A client of the application under test."""
    application = LOAD
    application.testing = False
    inner = application.test_client()

    def send(method, url, params, body, data, headers):
        given = {"json": body} if body is not None else {"data": data}
        answer = inner.open(url, method=method, query_string=params, headers=headers, **given)
        return Response(answer.status_code, answer.headers, answer.data)

    return Client(send)

'''
)
_AIOHTTP = (
    _RESPONSE
    + '''\
@pytest.fixture
def client():
    """A client of the application under test."""
    application = LOAD
    import asyncio

    from aiohttp.test_utils import TestClient, TestServer

    loop = asyncio.new_event_loop()
    inner = TestClient(TestServer(application, loop=loop), loop=loop)
    loop.run_until_complete(inner.start_server())

    async def answer(method, url, params, body, data, headers):
        given = {"json": body} if body is not None else {"data": data}
        async with inner.request(method, url, params=params, headers=headers, **given) as got:
            return Response(got.status, got.headers, await got.read())

    yield Client(lambda *given: loop.run_until_complete(answer(*given)))
    loop.run_until_complete(inner.close())
    loop.close()

'''
)
_ANY = _STARLETTE
_CLIENTS = {
    "fastapi": _STARLETTE,
    "starlette": _STARLETTE,
    "litestar": _LITESTAR,
    "flask": _FLASK,
    "aiohttp": _AIOHTTP,
}
