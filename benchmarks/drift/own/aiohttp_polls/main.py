import os

from aiohttp import web
from pydantic import ValidationError

from aiohttp_polls.storage import PollStorage, UnknownPoll
from aiohttp_polls.views import PollHandler


def json_error(status, message, **extra):
    return web.json_response({"message": message, **extra}, status=status)


@web.middleware
async def errors(request, handler):
    try:
        response = await handler(request)
    except UnknownPoll as exc:
        return json_error(404, f"poll {exc.poll_id} is unknown")
    except ValidationError as exc:
        return json_error(422, "invalid", errors=[e["msg"] for e in exc.errors()])
    except web.HTTPException as exc:
        if exc.status >= 400:
            return json_error(exc.status, exc.reason)
        raise
    return response


class Application:
    def __init__(self, settings: dict | None = None):
        self.settings = settings or {"dsn": os.getenv("DSN", "")}
        self.storage = PollStorage()
        self.handler = PollHandler(self.storage)

    def build(self) -> web.Application:
        app = web.Application(middlewares=[errors], client_max_size=1024**2)
        app["settings"] = self.settings
        self._routes(app)
        app.on_cleanup.append(self._close)
        return app

    def _routes(self, app: web.Application) -> None:
        h = self.handler
        router = app.router
        router.add_get("/polls", h.list_polls, name="polls")
        router.add_post("/polls", h.create_poll)
        router.add_get("/polls/{poll_id}", h.get_poll, name="poll")
        router.add_route("POST", "/polls/{poll_id}/votes", h.vote)
        router.add_delete("/polls/{poll_id}", h.close_poll)
        router.add_get("/latest", h.latest)

    async def _close(self, app):
        await self.storage.close()


app = Application().build()

if __name__ == "__main__":
    web.run_app(app)
