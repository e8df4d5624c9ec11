"""Tickets, as classes."""

from __future__ import annotations

import json
from typing import Any

from starlette.authentication import requires
from starlette.endpoints import HTTPEndpoint
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, Router

from starlette_desk.store import NUMBERS, TICKETS, Ticket, ticket_of

PRIORITIES = ("low", "normal", "high")


async def body_of(request: Request) -> dict[str, Any]:
    """The object that was sent."""
    try:
        data = await request.json()
    except json.JSONDecodeError:
        raise HTTPException(status_code=400, detail="no JSON") from None
    if not isinstance(data, dict):
        raise HTTPException(status_code=400, detail="no object")
    return data


class Tickets(HTTPEndpoint):
    """All tickets."""

    async def get(self, request: Request) -> JSONResponse:
        """Those that are asked for."""
        priority = request.query_params.get("priority")
        if priority is not None and priority not in PRIORITIES:
            return JSONResponse({"error": "no such priority"}, status_code=400)
        try:
            limit = int(request.query_params.get("limit", 50))
        except ValueError:
            return JSONResponse({"error": "limit is no number"}, status_code=400)
        if limit < 1 or limit > 200:
            return JSONResponse({"error": "limit is out of range"}, status_code=400)
        found = [t.to_dict() for t in TICKETS.values() if priority is None or t.priority == priority]
        return JSONResponse({"items": found[:limit], "total": len(found)})

    @requires("authenticated", status_code=401)
    async def post(self, request: Request) -> JSONResponse:
        """A new ticket."""
        data = await body_of(request)
        title = data.get("title")
        if not isinstance(title, str) or not title:
            raise HTTPException(status_code=422, detail="title is missing")
        if len(title) > 120:
            raise HTTPException(status_code=422, detail="title is too long")
        priority = data.get("priority", "normal")
        if priority not in PRIORITIES:
            raise HTTPException(status_code=422, detail="no such priority")
        ticket = Ticket(next(NUMBERS), title, priority)
        TICKETS[ticket.id] = ticket
        return JSONResponse(ticket.to_dict(), status_code=201, headers={"Location": f"/tickets/{ticket.id}"})


class OneTicket(HTTPEndpoint):
    """One ticket."""

    async def get(self, request: Request) -> JSONResponse:
        """The ticket."""
        return JSONResponse(ticket_of(request.path_params["number"]).to_dict())

    @requires("authenticated", status_code=401)
    async def patch(self, request: Request) -> JSONResponse:
        """The ticket, with what was sent."""
        ticket = ticket_of(request.path_params["number"])
        data = await body_of(request)
        if "closed" in data:
            if not isinstance(data["closed"], bool):
                raise HTTPException(status_code=422, detail="closed is no boolean")
            ticket.closed = data["closed"]
        return JSONResponse(ticket.to_dict())

    @requires(["authenticated", "admin"])
    async def delete(self, request: Request) -> Response:
        """Takes it away."""
        ticket = ticket_of(request.path_params["number"])
        del TICKETS[ticket.id]
        return Response(status_code=204)


router = Router(routes=[Route("/", Tickets), Route("/{number:int}", OneTicket)])
