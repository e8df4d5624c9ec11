"""What the tests made from the specs share: a client of the application, and its credentials."""

import importlib
import io
import logging
import re
import sys
from pathlib import Path

import pytest

from engine.generators.applications.conftests.sending import Client, Response

ROOT = Path(__file__).resolve().parents[2]
MADE = re.compile(r"^(app|application|api)\b[^=\n]*=(?!=)[^\n]*\w\(", re.MULTILINE)


def find_application():
    """The application, which was not there yet when this was written: the first that a module makes at its top.

    `crossfact go` and `crossfact run` find it more carefully, and then write this file anew.
    """
    places = [file.relative_to(ROOT) for file in ROOT.rglob("*.py")]
    for place in sorted(places, key=lambda place: (len(place.parts), place)):
        names = list(place.with_suffix("").parts)
        if not all(name.isidentifier() for name in names) or {"tests", "venv"} & set(names):
            continue
        made = MADE.search((ROOT / place).read_text(encoding="utf-8", errors="replace"))
        if made:
            above = ROOT / names.pop(0) if names[0] == "src" else ROOT
            if str(above) not in sys.path:
                sys.path.insert(0, str(above))
            return getattr(importlib.import_module(".".join(names)), made[1])
    raise NotImplementedError(
        "there is no application yet: no module makes an `app`, and no setting tells where it is"
    )


@pytest.fixture
def client():
    """A client of the application under test."""
    application = find_application()
    if hasattr(application, "test_client"):
        application.testing = False
        inner, bare = application.test_client(), application.test_client(use_cookies=False)

        def send(method, url, params, body, data, files, headers):
            opened = {field: (io.BytesIO(content), name) for field, (name, content) in files.items()}
            given = {"json": body} if body is not None else {"data": {**(data or {}), **opened} or None}
            sender = bare if "Cookie" in headers else inner
            answer = sender.open(url, method=method, query_string=params, headers=headers, **given)
            cookies = answer.headers.getlist("Set-Cookie")
            return Response(answer.status_code, answer.headers, answer.data, cookies)

        yield Client(send)
        return
    from starlette.testclient import TestClient

    async def telling(scope, receive, send):
        """The application; what it raises is logged, and so shown with the test that fails by it."""
        try:
            await application(scope, receive, send)
        except Exception:
            logging.getLogger(__name__).exception("%s %s", scope.get("method"), scope.get("path"))
            raise

    with TestClient(telling, raise_server_exceptions=False) as client:
        client.follow_redirects = False  # Older versions do not take it as an argument.
        yield client
