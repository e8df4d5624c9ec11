"""What the tests made from the specs share: a client of the application, and its credentials."""

import importlib
import io

import pytest

from engine.generators.applications.conftests.sending import Client, Response


@pytest.fixture
def client():
    """A client of the application under test."""
    application = importlib.import_module("package.module").application
    from flask import got_request_exception

    application.testing = False
    inner, bare = application.test_client(), application.test_client(use_cookies=False)

    def send(method, url, params, body, data, files, headers):
        opened = {field: (io.BytesIO(content), name) for field, (name, content) in files.items()}
        given = {"json": body} if body is not None else {"data": {**(data or {}), **opened} or None}
        sender = bare if "Cookie" in headers else inner
        answer = sender.open(url, method=method, query_string=params, headers=headers, **given)
        return Response(answer.status_code, answer.headers, answer.data, answer.headers.getlist("Set-Cookie"))

    client = Client(send)

    def note(sender, exception, **more):
        """Keep what the application raises."""
        client.raised = exception

    with got_request_exception.connected_to(note):
        yield client
