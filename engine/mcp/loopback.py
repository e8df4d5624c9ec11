"""Serving over HTTP: on this machine only, to who has the token only, and to no page of a browser."""

from __future__ import annotations

import hmac
import os
import secrets
import socket
import stat
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

from mcp.server.lowlevel.server import Server
from mcp.server.transport_security import TransportSecuritySettings

from engine.mcp.desk import Settled
from engine.mcp.server import quiet, serving
from graph.errors import UsageError

HOST = "127.0.0.1"
PATH = "/mcp"
_SESSIONS = 16
_LARGEST = 1 << 20

_Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
_App = Callable[[_Scope, _Receive, _Send], Awaitable[None]]


class Guarded:
    """An application behind a bearer token."""

    def __init__(self, inner: _App, token: str) -> None:
        self._inner = inner
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        """Let a request through that has the token; answer 401 to others, and speak nothing but HTTP."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] == "http" and not self._is_let_in(scope):
            body = b'{"error": "a bearer token is needed"}'
            headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": body})
            return
        await self._inner(scope, receive, send)

    def _is_let_in(self, scope: _Scope) -> bool:
        given = [value for name, value in scope["headers"] if name.lower() == b"authorization"]
        return len(given) == 1 and hmac.compare_digest(given[0], self._wanted)


def application(server: Server[Any], token: str, port: int) -> Guarded:
    """The server as an ASGI application that answers to names of this machine only."""
    names = [f"{HOST}:{port}", f"localhost:{port}"]
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        host=HOST,
        max_request_body_size=_LARGEST,
        max_sessions=_SESSIONS,
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=names,
            allowed_origins=[f"http://{name}" for name in names],
        ),
    )
    return Guarded(inner, token)


def serve_loopback(settled: Settled, port: int, token_file: Path, tell: Callable[[str], None]) -> None:
    """Serve on a port of 127.0.0.1 (0 for any that is free) until interrupted.

    Raises UsageError where the port is taken or the token's file cannot be used.
    """
    import uvicorn

    token = token_in(token_file)
    quiet()
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, port))
        except OSError as error:
            raise UsageError(
                f"--port {port}: {error.strerror}", "Name another port, or 0 for any that is free."
            ) from error
        listening.listen()
        taken = listening.getsockname()[1]

        async def serve(server: Server[Any]) -> None:
            config = uvicorn.Config(
                application(server, token, taken), log_level="critical", access_log=False, lifespan="on"
            )
            tell(f"crossfact: serving on http://{HOST}:{taken}{PATH}; the bearer token is in {token_file}")
            await uvicorn.Server(config).serve(sockets=[listening])

        serving(settled, serve)


def token_in(file: Path) -> str:
    """The token that a file holds, made where there is no file; only its owner may read it.

    Raises UsageError for a file that others may read, that holds no token, or that cannot be made.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return _made(file)
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}", "Name another --token-file.") from error
    with open(descriptor, "rb") as opened:
        status = os.fstat(opened.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_mode & 0o077:
            raise UsageError(f"{file}: others may read this token", f"Run: chmod 600 {file}")
        token = opened.read(1_000).decode("ascii", "replace").strip()
    if len(token) < 16 or not token.isprintable() or " " in token:
        raise UsageError(f"{file}: holds no token of 16 characters or more", "Remove it: a new one is made.")
    return token


def _made(file: Path) -> str:
    token = secrets.token_urlsafe(32)
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(file, flags, 0o600), "w", encoding="ascii") as opened:
            opened.write(f"{token}\n")
    except OSError as error:
        raise UsageError(f"{file}: cannot be made: {error.strerror}", "Name another --token-file.") from error
    return token
