"""Accounts and what is booked on them."""

import itertools
import json
import logging
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from typing import TypedDict

from aiohttp import web

log = logging.getLogger(__name__)
ACCOUNTS = web.AppKey("accounts", dict)
KINDS = {"asset", "debt", "income"}


class Summary(TypedDict):
    accounts: int
    total: float


@dataclass
class Account:
    id: int
    name: str
    kind: str
    balance: float = 0.0
    notes: list[str] = field(default_factory=list)


def error(status: int, message: str) -> web.Response:
    return web.json_response({"error": message}, status=status)


@web.middleware
async def tokens(request, handler):
    if request.path.startswith("/api") and request.headers.get("X-Token") != request.app["token"]:
        return error(401, "token is missing")
    return await handler(request)


async def list_accounts(request: web.Request) -> web.Response:
    kind = request.query.get("kind")
    if kind is not None and kind not in KINDS:
        return error(400, "no such kind")
    try:
        limit = int(request.query.get("limit", 50))
    except ValueError:
        return error(400, "limit is no number")
    if limit < 1 or limit > 500:
        return error(400, "limit is out of range")
    found = [asdict(a) for a in request.app[ACCOUNTS].values() if kind is None or a.kind == kind]
    return web.json_response({"accounts": found[:limit], "count": len(found)})


async def create_account(request: web.Request) -> web.Response:
    try:
        body = await request.json()
    except json.JSONDecodeError:
        return error(400, "no JSON")
    name = body.get("name")
    if not isinstance(name, str) or len(name) > 40:
        return error(422, "name is wrong")
    if body.get("kind") not in KINDS:
        return error(422, "kind is wrong")
    account = Account(next(request.app["numbers"]), name, body["kind"])
    request.app[ACCOUNTS][account.id] = account
    log.info("new account %s", account.id)
    return web.json_response(asdict(account), status=201, headers={"Location": f"/api/accounts/{account.id}"})


def get_account(request: web.Request) -> Account:
    number = int(request.match_info["number"])
    try:
        return request.app[ACCOUNTS][number]
    except KeyError:
        raise web.HTTPNotFound(text=json.dumps({"error": "no such account"}), content_type="application/json")


class AccountView(web.View):
    async def get(self):
        return web.json_response(asdict(get_account(self.request)))

    async def patch(self):
        account = get_account(self.request)
        data = await self.request.json()
        if "name" in data:
            account.name = data["name"]
        return web.json_response(asdict(account))

    async def delete(self):
        account = get_account(self.request)
        if account.balance:
            raise web.HTTPConflict()
        self.request.app[ACCOUNTS].pop(account.id)
        raise web.HTTPNoContent()


async def book(request):
    account = get_account(request)
    data = await request.json()
    amount = float(data["amount"])
    account.balance += amount
    if data.get("note"):
        account.notes.append(data["note"])
    entry = {
        "account": account.id,
        "amount": amount,
        "at": datetime.now(timezone.utc).isoformat(),
        "ok": True,
    }
    return web.json_response(entry, status=202)


async def summary(request: web.Request) -> web.Response:
    accounts = request.app[ACCOUNTS]
    result: Summary = {"accounts": len(accounts), "total": sum(a.balance for a in accounts.values())}
    return web.json_response(result)


async def ping(request):
    return web.Response(text="pong", content_type="text/plain")


def init_app() -> web.Application:
    app = web.Application(middlewares=[tokens])
    app[ACCOUNTS] = {}
    app["numbers"] = itertools.count(1)
    app["token"] = "secret"
    app.router.add_get("/ping", ping)
    app.router.add_route("GET", "/api/accounts", list_accounts)
    app.router.add_post("/api/accounts", create_account)
    app.router.add_view(r"/api/accounts/{number:\d+}", AccountView)
    app.add_routes([web.post(r"/api/accounts/{number:\d+}/bookings", book), web.get("/api/summary", summary)])
    return app


app = init_app()
