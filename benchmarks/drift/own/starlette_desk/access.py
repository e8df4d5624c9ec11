"""Who calls, and what everybody below a path must have."""

from __future__ import annotations

from starlette.authentication import AuthCredentials, AuthenticationBackend, BaseUser, SimpleUser
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response

PEOPLE = {"t-ann": "ann", "t-root": "root"}


class TokenBackend(AuthenticationBackend):
    """Knows people by the token that they send."""

    async def authenticate(self, conn: HTTPConnection) -> tuple[AuthCredentials, BaseUser] | None:
        """The person, if there is a token."""
        header = conn.headers.get("Authorization")
        if header is None or not header.startswith("Bearer "):
            return None
        name = PEOPLE.get(header.removeprefix("Bearer "))
        if name is None:
            return None
        scopes = ["authenticated", "admin"] if name == "root" else ["authenticated"]
        return AuthCredentials(scopes), SimpleUser(name)


class KeyMiddleware(BaseHTTPMiddleware):
    """Lets nobody without the key below /internal."""

    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        """The answer, or 401."""
        if request.url.path.startswith("/internal") and request.headers.get("X-Key") != "secret":
            return JSONResponse({"error": "key is missing"}, status_code=401)
        return await call_next(request)
