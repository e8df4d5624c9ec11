"""`crossfact mcp` spoken to by something that is no good client."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.commands import surroundings
from tests.engine.mcp.clients import COMMAND
from tests.interrupting import heed_interrupts

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "raw", "version": "1"},
}


class Line:
    """A server that is spoken to line by line."""

    def __init__(self, project: Path) -> None:
        (project / "shop.pyi").write_text("def pay(amount: int = 1) -> int: ...\n", encoding="utf-8")
        self.process = subprocess.Popen(
            COMMAND,
            cwd=project,
            env=surroundings(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=heed_interrupts,
        )
        self._number = 0

    def say(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self.say(json.dumps(message).encode())
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == self._number:
                return answer
        raise AssertionError("the server ended")

    def greet(self) -> None:
        assert "result" in self.ask("initialize", **HELLO)
        self.say(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')

    def children(self) -> list[int]:
        """The processes that descend from the server."""
        found: list[int] = []
        queue = [self.process.pid]
        while queue:
            pid = queue.pop()
            for place in Path(f"/proc/{pid}/task").glob("*/children"):
                below = [int(each) for each in place.read_text(encoding="ascii").split()]
                found += below
                queue += below
        return found


@pytest.fixture
def line(tmp_path: Path) -> Line:
    return Line(tmp_path)


def ended(line: Line) -> str:
    _, said = line.process.communicate(timeout=30)
    assert b"Traceback" not in said
    return said.decode()


def test_nonsense_is_answered_or_left_alone_and_the_server_lives_on(line: Line) -> None:
    line.greet()
    for data in (b"nonsense", b"{}", b"[]", b"\xff\xfe\x00", b'{"jsonrpc": "2.0", "id": 7}', b"[" * 100_000):
        line.say(data)
    line.say(b'{"jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": {"name": 7}}')
    assert "error" in line.ask("no/such/method")
    result = line.ask("tools/call", name="facts", arguments={"name": "x" * 501})["result"]
    assert result["isError"] and "500" in result["content"][0]["text"]
    result = line.ask("tools/call", name="facts", arguments={})["result"]
    assert result["structuredContent"]["total"] == 2
    ended(line)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are looked for in /proc")
@pytest.mark.parametrize("how", ["closing", "interrupting", "killing"])
def test_a_server_that_ends_leaves_no_process_behind(line: Line, how: str) -> None:
    line.greet()
    assert "result" in line.ask("tools/call", name="facts", arguments={})
    children = line.children()
    assert children
    if how == "closing":
        assert line.process.stdin is not None
        line.process.stdin.close()
        line.process.stdin = None
    else:
        line.process.send_signal(signal.SIGINT if how == "interrupting" else signal.SIGKILL)
    line.process.communicate(timeout=30)
    deadline = time.monotonic() + 20
    while any(map(is_alive, children)):
        assert time.monotonic() < deadline, [pid for pid in children if is_alive(pid)]
        time.sleep(0.05)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = (
            Path(f"/proc/{pid}/stat")
            .read_text(encoding="ascii", errors="replace")
            .rpartition(")")[2]
            .split()[0]
        )
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"
