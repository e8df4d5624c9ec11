"""What the tests made from the specs share: a client of the application, and its credentials."""

import importlib
import io
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


@pytest.fixture
def client():
    """A client of the application under test."""
    application = importlib.import_module("package.module").application
    application.testing = False
    inner = application.test_client()

    def send(method, url, params, body, data, files, headers):
        opened = {field: (io.BytesIO(content), name) for field, (name, content) in files.items()}
        given = {"json": body} if body is not None else {"data": {**(data or {}), **opened} or None}
        answer = inner.open(url, method=method, query_string=params, headers=headers, **given)
        return Response(answer.status_code, answer.headers, answer.data)

    return Client(send)
