"""What the tests made from the specs share: a client of the application, and its credentials."""

import asyncio
import importlib

import pytest

from engine.generators.applications.conftests.sending import Client, Response


@pytest.fixture(scope="session")
def client():
    """A client of the application under test; an application of aiohttp can be served only once."""
    application = importlib.import_module("package.module").application
    from aiohttp import DummyCookieJar, FormData
    from aiohttp.test_utils import TestClient, TestServer

    loop = asyncio.new_event_loop()
    if asyncio.iscoroutine(application):
        application = loop.run_until_complete(application)
    jar = DummyCookieJar(loop=loop)  # What one test is told is nothing that the next one knows.
    inner = TestClient(TestServer(application, loop=loop), cookie_jar=jar, loop=loop)
    loop.run_until_complete(inner.start_server())

    async def answer(method, url, params, body, data, files, headers):
        form = FormData(data or {}) if data is not None or files else None
        for field, (name, content) in files.items():
            form.add_field(field, content, filename=name)
        given = {"json": body} if body is not None else {"data": form}
        sent = inner.request(method, url, params=params, headers=headers, allow_redirects=False, **given)
        async with sent as got:
            cookies = got.headers.getall("Set-Cookie", ())
            return Response(got.status, got.headers, await got.read(), cookies)

    yield Client(lambda *given: loop.run_until_complete(answer(*given)))
    loop.run_until_complete(inner.close())
    loop.close()
