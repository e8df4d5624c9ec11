"""`crossfact mcp --http`: on this machine only, to who has the token only.

The SDK is imported where it is used: it takes long, and not every process that collects these tests runs them.
"""

from __future__ import annotations

import signal
import socket
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from graph.errors import UsageError
from tests.commands import surroundings
from tests.engine.mcp.clients import COMMAND, answer
from tests.interrupting import heed_interrupts

_PING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
_ACCEPT = {"accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a server that all these tests ask, and its token."""
    project = tmp_path_factory.mktemp("served")
    (project / "shop.pyi").write_text("def pay(amount: int = 1) -> int: ...\n", encoding="utf-8")
    (project / "shop.py").write_text(
        "def pay(amount: int = 2) -> int:\n    return amount\n", encoding="utf-8"
    )
    server = subprocess.Popen(
        [*COMMAND, "--http", "--port", "0"],
        cwd=project,
        env=surroundings(),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    )
    assert server.stderr is not None
    line = server.stderr.readline()
    assert "http://127.0.0.1:" in line
    file = project / ".crossfact" / "mcp-token"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    token = file.read_text(encoding="ascii").strip()
    assert token not in line
    yield line.split("serving on ")[1].split(";")[0], token
    server.send_signal(signal.SIGINT)
    out, said = server.communicate(timeout=20)
    assert "Traceback" not in said and out == ""


def test_the_client_of_the_sdk_with_the_token_is_served(served: tuple[str, str]) -> None:
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    address, token = served

    async def ask() -> None:
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}, timeout=60) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            assert "findings" in {tool.name for tool in (await client.list_tools()).tools}
            page = await answer(client, "findings")
            assert [each["rule"] for each in page["findings"]] == ["argument-default-mismatch"]

    anyio.run(ask)


def test_strangers_pages_and_floods_are_refused(served: tuple[str, str]) -> None:
    """CF-8.4"""
    import httpx2

    address, token = served
    known = {"authorization": f"Bearer {token}", **_ACCEPT}
    with httpx2.Client(timeout=20) as http:

        def status(headers: dict[str, str], **body: object) -> int:
            content = body or {"json": _PING}
            return http.post(address, headers=headers, **content).status_code  # type: ignore[arg-type]

        assert status(_ACCEPT) == 401
        assert status({**_ACCEPT, "authorization": "Bearer nonsense"}) == 401
        assert status({**_ACCEPT, "authorization": token}) == 401
        assert status({**known, "host": "crossfact.example:80"}) == 421
        assert status({**known, "origin": "http://page.example"}) == 403
        flood = b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"x" * (2 << 20) + b'"}'
        assert status({**known, "content-type": "application/json"}, content=flood) == 413
        upgrade = {"connection": "upgrade", "upgrade": "websocket", "sec-websocket-version": "13"}
        assert http.get(address, headers={**upgrade, "sec-websocket-key": "x" * 24}).status_code in (
            400,
            401,
            403,
        )
        assert http.get(address.replace("/mcp", "/.crossfact/mcp-token"), headers=known).status_code == 404


def test_only_this_machine_can_reach_it(served: tuple[str, str]) -> None:
    port = int(served[0].split(":")[2].split("/")[0])
    socket.create_connection(("127.0.0.1", port), timeout=5).close()
    # A server that listens on every address answers here too.
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.2", port), timeout=5).close()


def test_a_token_that_others_may_read_or_guess_is_refused(tmp_path: Path) -> None:
    from engine.mcp.loopback import token_in

    file = tmp_path / "token"
    made = token_in(file)
    assert len(made) > 40 and token_in(file) == made
    file.chmod(0o644)
    with pytest.raises(UsageError, match="others may read"):
        token_in(file)
    file.chmod(0o600)
    file.write_text("short\n", encoding="ascii")
    with pytest.raises(UsageError, match="no token"):
        token_in(file)
    (tmp_path / "link").symlink_to(file)
    with pytest.raises(UsageError, match="cannot be read"):
        token_in(tmp_path / "link")


def test_a_port_that_is_taken_is_told(served: tuple[str, str], tmp_path: Path) -> None:
    port = served[0].split(":")[2].split("/")[0]
    done = subprocess.run(
        [*COMMAND, "--http", "--port", port],
        cwd=tmp_path,
        env=surroundings(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert f"--port {port}" in done.stderr and "Traceback" not in done.stderr
