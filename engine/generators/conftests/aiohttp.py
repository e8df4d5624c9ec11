"""What the tests made from the specs share: a client of the application, and its credentials."""

import asyncio
import importlib
import json

import pytest


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

    def request(self, method, url, *, params=None, json=None, data=None, files=None, headers=None):
        """The answer to one request; `files` are by field, each with its name and content."""
        return self._send(method, url, params or {}, json, data, files or {}, headers or {})

    def __getattr__(self, name):
        return lambda url, **given: self.request(name.upper(), url, **given)


@pytest.fixture(scope="session")
def client():
    """A client of the application under test; an application of aiohttp can be served only once."""
    application = importlib.import_module("package.module").application
    from aiohttp import FormData
    from aiohttp.test_utils import TestClient, TestServer

    loop = asyncio.new_event_loop()
    inner = TestClient(TestServer(application, loop=loop), loop=loop)
    loop.run_until_complete(inner.start_server())

    async def answer(method, url, params, body, data, files, headers):
        form = FormData(data or {}) if data is not None or files else None
        for field, (name, content) in files.items():
            form.add_field(field, content, filename=name)
        given = {"json": body} if body is not None else {"data": form}
        sent = inner.request(method, url, params=params, headers=headers, allow_redirects=False, **given)
        async with sent as got:
            return Response(got.status, got.headers, await got.read())

    yield Client(lambda *given: loop.run_until_complete(answer(*given)))
    loop.run_until_complete(inner.close())
    loop.close()
