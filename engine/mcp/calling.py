"""Hands calls to the worker process and waits for their answers; a worker that died or was cancelled is replaced."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import msgspec

from engine.mcp.desk import Settled
from engine.mcp.worker import work

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

Progress = Callable[[float, float, str], Awaitable[None]]

_WAITING = 16
_GRACE = 5.0


class CallError(Exception):
    """A call came to nothing; the message says why, and what to do."""


class Caller:
    """One worker process, asked one thing at a time; further calls wait, but not too many."""

    def __init__(self, settled: Settled) -> None:
        self._settled = msgspec.json.encode(settled)
        self._lock = anyio.Lock()
        self._waiting = 0
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    async def call(self, name: str, arguments: dict[str, Any], progress: Progress) -> Any:
        """What the call answers. Raises CallError; a call that is cancelled ends what it does."""
        if self._waiting >= _WAITING:
            raise CallError("too many calls are waiting\nhelp: Wait for answers before asking more.")
        self._waiting += 1
        try:
            async with self._lock:
                return await self._answered(name, arguments, progress)
        finally:
            self._waiting -= 1

    async def _answered(self, name: str, arguments: dict[str, Any], progress: Progress) -> Any:
        connection = self._started()
        settled = False
        try:
            connection.send_bytes(msgspec.json.encode({"call": name, "arguments": arguments}))
            while True:
                message = await self._message(connection)
                if "progress" in message:
                    done, total, words = message["progress"]
                    await progress(done, total, words)
                    continue
                settled = True
                break
        except (EOFError, OSError) as error:
            raise CallError(
                "the process that did this died\nhelp: Ask again; if it dies again, name the paths that are read "
                "with the settings of crossfact, and report it."
            ) from error
        finally:
            if not settled:
                with anyio.CancelScope(shield=True):
                    await anyio.to_thread.run_sync(self.stop)
        if "error" in message:
            remedy = f"\nhelp: {message['remedy']}" if message["remedy"] else ""
            raise CallError(f"{message['error']}{remedy}")
        return message["answer"]

    async def _message(self, connection: Connection) -> dict[str, Any]:
        data = await anyio.to_thread.run_sync(connection.recv_bytes, abandon_on_cancel=True)
        message: dict[str, Any] = msgspec.json.decode(data)
        return message

    def _started(self) -> Connection:
        if self._process is not None and self._process.is_alive() and self._connection is not None:
            return self._connection
        self.stop()
        # Not forked: a fork would carry along the server's threads' locks and its standard streams.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(theirs, self._settled), name="crossfact-worker")
        process.start()
        theirs.close()
        self._process, self._connection = process, ours
        return ours

    def stop(self) -> None:
        """End the worker: it is asked to, and made to where it takes longer than a few seconds."""
        process, connection = self._process, self._connection
        self._process = self._connection = None
        if process is not None and process.is_alive() and process.pid is not None:
            os.kill(process.pid, signal.SIGINT)
            process.join(_GRACE)
            if process.is_alive():
                _kill(process.pid)
                process.join()
        if connection is not None:
            connection.close()


def _kill(pid: int) -> None:
    """End a worker and all that it started."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(pid, signal.SIGKILL)
