"""Makes the fixture `client` of one that the project's own tests have, which prepares the application for it."""

from __future__ import annotations

from pathlib import Path

from engine.generators.applications.own_fixtures import Prepared
from engine.generators.files import with_imports

_DEFINED = "def client():\n"
_TOLD = '"""A client of the application under test."""'
_ENTERED = "    with client:\n        yield client\n"
_ON_ITS_LOOP = "    client.portal = portal\n    yield client\n"
_STARTED = """\
    with contextlib.ExitStack() as running:
        try:
            running.enter_context(client)
        except Exception:  # The project's own tests do without what is not there.
            logging.getLogger(__name__).exception("the application does not start")
        yield client
"""
_SENT = "sender.open(url, method=method, query_string=params, headers=headers, **given)"
_TO_SEND = """\
        opening = {"method": method, "query_string": params, "headers": headers, **given}
        # A context that the project's fixture pushed would give to one request what another one left there.
        answer = contextvars.Context().run(lambda: sender.open(url, **opening))
"""
_PROPAGATING = "    application.testing = False\n"
_NOT_PROPAGATING = '    application.config["PROPAGATE_EXCEPTIONS"] = False\n'
_CLIENT = "    client = TestClient("
_IMPORT = "    from starlette.testclient import TestClient\n"
_AWAITED = """\
    transport = httpx.ASGITransport(app=telling, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as inner:
        client = Awaited(inner, loop)
        yield client
"""


def prepared_client(text: str, importing: str, own: Prepared) -> str:
    """The text of a template with the project's fixture instead of the lines that import the application."""
    asked = ", ".join([own.fixture, *own.needs])
    told = f'"""A client of the application as the project\'s own fixture `{own.fixture}` prepares it."""'
    text = text.replace(_DEFINED, f"def client({asked}):\n").replace(_TOLD, told)
    text = text.replace(importing, f"    application = {own.fixture}{own.leads}\n")
    if _SENT in text:
        text = text.replace(f"        answer = {_SENT}\n", _TO_SEND).replace(_PROPAGATING, _NOT_PROPAGATING)
        return with_imports(text, ["import contextvars"])
    if own.waits:
        return _awaiting(text, own.waits)
    if not own.entered:
        return text
    if own.starts and _ENTERED in text:
        return with_imports(text.replace(_ENTERED, _STARTED), ["import contextlib"])
    if _ENTERED in text:
        portal = f'    portal = getattr({own.fixture}, "portal", None)\n'
        return text.replace(_ENTERED, _ON_ITS_LOOP).replace(_IMPORT, f"{portal}{_IMPORT}")
    return text


def _awaiting(text: str, decorator: str) -> str:
    """The client of Starlette that awaits what it asks for on the loop of the project's fixture."""
    awaited = _awaited()
    start, end = text.index("@pytest.fixture\n"), text.index(_CLIENT)
    fixture = text[start:end].replace(_IMPORT, "    loop = asyncio.get_running_loop()\n")
    fixture = fixture.replace("@pytest.fixture\ndef client(", f"@{decorator}\nasync def client(")
    imports = ["import asyncio", "import httpx"]
    imports += ["import pytest_asyncio"] if decorator.startswith("pytest_asyncio.") else []
    return with_imports(f"{text[:start]}{awaited}\n\n\n{fixture.rstrip()}\n\n{_AWAITED}", imports)


def _awaited() -> str:
    text = (Path(__file__).parent / "conftests" / "awaiting.py").read_text(encoding="utf-8")
    return text[text.index("class ") :].rstrip()
