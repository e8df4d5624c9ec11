from aiohttp import web

from aiohttp_polls.models import NewPoll, Vote
from aiohttp_polls.storage import PollStorage


class PollHandler:
    def __init__(self, storage: PollStorage):
        self._storage = storage

    def _id(self, request: web.Request) -> int:
        try:
            return int(request.match_info["poll_id"])
        except ValueError:
            raise web.HTTPNotFound()

    async def list_polls(self, request: web.Request) -> web.Response:
        show_closed = "closed" in request.query
        polls = [p for p in await self._storage.all() if show_closed or not p.closed]
        return web.json_response({"polls": [p.model_dump() for p in polls]})

    async def create_poll(self, request: web.Request) -> web.Response:
        new = NewPoll(**await request.json())
        poll = await self._storage.add(new)
        location = str(request.app.router["poll"].url_for(poll_id=str(poll.id)))
        return web.json_response(poll.model_dump(), status=201, headers={"Location": location})

    async def get_poll(self, request: web.Request) -> web.Response:
        poll = await self._storage.find(self._id(request))
        return web.json_response(text=poll.model_dump_json())

    async def vote(self, request: web.Request) -> web.Response:
        vote = Vote.model_validate_json(await request.read())
        poll = await self._storage.find(self._id(request))
        if poll.closed:
            raise web.HTTPGone()
        if vote.choice >= len(poll.choices):
            raise web.HTTPBadRequest(reason="no such choice")
        poll.choices[vote.choice].votes += 1
        return web.json_response(
            {"label": poll.choices[vote.choice].label, "votes": poll.choices[vote.choice].votes}
        )

    async def close_poll(self, request: web.Request) -> web.Response:
        poll = await self._storage.find(self._id(request))
        poll.closed = True
        return web.Response(status=204)

    async def latest(self, request: web.Request) -> web.Response:
        polls = await self._storage.all()
        if not polls:
            raise web.HTTPNotFound()
        raise web.HTTPFound(f"/polls/{polls[-1].id}")
