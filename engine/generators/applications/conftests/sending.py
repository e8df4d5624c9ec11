"""What clients are made of whose frameworks have none that speaks as httpx does."""

import json
from http.cookies import SimpleCookie


class Asked:
    """What was asked for."""

    def __init__(self, method, url):
        self.method = method
        self.url = url


class Response:
    """What the application answered: its status, headers and content, and the cookies that it sets, by name."""

    def __init__(self, status_code, headers, content, cookies=()):
        self.status_code = status_code
        self.headers = headers
        self.content = content
        self.cookies = {name: told.value for line in cookies for name, told in SimpleCookie(line).items()}
        self.request = None

    @property
    def text(self):
        """The content as text."""
        return self.content.decode()

    def json(self):
        """The content as JSON."""
        return json.loads(self.content)


class Client:
    """Sends requests to the application in this process; `raised` is what it raised over the last one, if known."""

    def __init__(self, send):
        self._send = send
        self.raised = None

    def request(self, method, url, *, params=None, json=None, data=None, files=None, headers=None):
        """The answer to one request; `files` are by field, each with its name and content."""
        self.raised = None
        answer = self._send(method, url, params or {}, json, data, files or {}, headers or {})
        answer.request = Asked(method, url)
        return answer

    def __getattr__(self, name):
        return lambda url, **given: self.request(name.upper(), url, **given)
