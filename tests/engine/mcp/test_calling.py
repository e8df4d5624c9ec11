"""The process that does what tools ask for: it can die, be cancelled, and be asked too much."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import anyio
import pytest

from engine.mcp.calling import Caller, CallError
from engine.mcp.desk import Settled

LONG = {
    "question": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n",
    "language": "sql",
}


async def ignore(done: float, total: float, words: str) -> None:
    """Hear of progress."""


@pytest.fixture
def caller(tmp_path: Path) -> Caller:
    (tmp_path / "shop.pyi").write_text("def pay(amount: int = 1) -> int: ...\n", encoding="utf-8")
    return Caller(Settled(root=str(tmp_path), options={"history": False}))


def test_a_worker_that_died_is_an_error_once_and_replaced(caller: Caller) -> None:
    async def ask() -> None:
        first = await caller.call("facts", {}, ignore)
        process = caller._process
        assert process is not None and process.pid is not None
        async with anyio.create_task_group() as group:

            async def long_question() -> None:
                with pytest.raises(CallError, match="died"):
                    await caller.call("query", LONG, ignore)

            group.start_soon(long_question)
            await anyio.sleep(0.5)
            os.kill(process.pid, signal.SIGKILL)
        assert await caller.call("facts", {}, ignore) == first
        caller.stop()

    anyio.run(ask)


def test_a_call_that_is_cancelled_ends_what_it_did(caller: Caller) -> None:
    async def ask() -> None:
        await caller.call("facts", {}, ignore)
        before = caller._process
        with anyio.move_on_after(0.5) as scope:
            await caller.call("query", LONG, ignore)
        assert scope.cancelled_caught
        assert before is not None and not before.is_alive()
        assert (await caller.call("facts", {}, ignore))["total"] > 0
        caller.stop()

    anyio.run(ask)


def test_too_many_calls_at_once_are_refused(caller: Caller) -> None:
    async def ask() -> None:
        answers: list[Any] = []

        async def one() -> None:
            try:
                answers.append(await caller.call("facts", {}, ignore))
            except CallError as error:
                answers.append(str(error))

        async with anyio.create_task_group() as group:
            for _ in range(20):
                group.start_soon(one)
        refused = [each for each in answers if isinstance(each, str)]
        assert len(refused) == 4
        assert "too many calls" in refused[0]
        caller.stop()

    anyio.run(ask)


def test_a_tool_that_writes_is_refused_by_the_worker_too(caller: Caller) -> None:
    async def ask() -> None:
        with pytest.raises(CallError, match="--allow-write"):
            await caller.call("plan", {}, ignore)
        caller.stop()

    anyio.run(ask)
