"""The process that does what tools ask for: one call at a time, alone in its main thread.

Reading and running start processes and set alarms, which a server that serves from threads should not do; and a fault
in a native parser ends this process, not the server. Messages are JSON: `{"call", "arguments"}` comes in, any number of
`{"progress"}` go out, and one of `{"answer"}` or `{"error", "remedy"}` ends the call.
"""

from __future__ import annotations

import os
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec

from engine.mcp import bounds
from engine.mcp.desk import Desk, Settled
from engine.mcp.tools import offered
from graph.errors import CrossfactError, DamagedStore, UsageError
from graph.faults import DEBUGGING

READ = "resources/read"
"""The call that reads a resource instead of using a tool."""

_encode = msgspec.json.Encoder(enc_hook=str).encode


class Call(msgspec.Struct, frozen=True):
    """What is asked for."""

    call: str
    arguments: dict[str, Any]


def work(connection: Connection, settled: bytes) -> None:
    """Answer calls until the other end is closed."""
    if hasattr(os, "setsid"):
        os.setsid()  # so that all that it starts can be ended with it
    settings = msgspec.json.decode(settled, type=Settled)
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            call = msgspec.json.decode(connection.recv_bytes(), type=Call)
            connection.send_bytes(_encode(_answer(call, settings, connection)))


def _answer(call: Call, settled: Settled, connection: Connection) -> dict[str, Any]:
    desk = Desk(
        settled,
        lambda done, total, words: connection.send_bytes(_encode({"progress": [done, total, words]})),
    )
    try:
        return _done(call, desk, settled)
    except CrossfactError as error:
        return {"error": str(error), "remedy": error.remedy}
    except OSError as error:
        return {"error": f"{error.filename or settled.root}: {error.strerror or error}", "remedy": ""}
    except Exception as error:
        if os.environ.get(DEBUGGING):
            raise
        return {
            "error": f"internal error: {type(error).__name__}: {error}",
            "remedy": "This is a fault of crossfact; please report it.",
        }


def _done(call: Call, desk: Desk, settled: Settled) -> dict[str, Any]:
    try:
        return {"answer": _called(call, desk, settled)}
    except DamagedStore as error:
        from engine.project import put_aside

        put_aside(Path(error.place), desk.tell)
        return {"answer": _called(call, desk, settled)}


def _called(call: Call, desk: Desk, settled: Settled) -> Any:
    if call.call == READ:
        from engine.mcp.resources import Reading, read

        answer: Any = read(desk, msgspec.convert(call.arguments, Reading))
        return bounds.inert(msgspec.to_builtins(answer))
    tool = offered(writes=settled.writes).get(call.call)
    if tool is None:
        raise UsageError(
            f"no tool is called {call.call}", "Tools that write are offered by `crossfact mcp --allow-write`."
        )
    try:
        arguments = msgspec.convert(call.arguments, tool.takes)
    except msgspec.ValidationError as error:
        raise UsageError(_mistake(str(error)), "See the tool's input schema.") from error
    answer = tool.function(desk, arguments)
    return bounds.inert(
        msgspec.to_builtins(msgspec.structs.replace(answer, notes=tuple(desk.notes)), enc_hook=str)
    )


def _mistake(said: str) -> str:
    """What is wrong with an argument, without the words that only a programmer of ours would know."""
    reason, _, place = said.partition(" - at `$")
    name = place.strip("`.")
    return f"argument {name}: {reason}" if name else f"arguments: {reason}"
