"""The handlers of notes."""

from __future__ import annotations

from aiohttp import web

from aiohttp_notes.store import NOTES, find, limit

routes = web.RouteTableDef()


@routes.get("/notes")
async def listed(request: web.Request) -> web.Response:
    """All notes."""
    offset = int(request.query.get("offset", 0))
    word = request.query.get("word")
    found = [note for note in NOTES.values() if word is None or word in note["text"]]
    return web.json_response(found[offset : offset + limit(request)])


@routes.post("/notes")
async def made(request: web.Request) -> web.Response:
    """A new note."""
    data = await request.json()
    if data["key"] in NOTES:
        raise web.HTTPConflict(reason="there is one")
    NOTES[data["key"]] = {"text": data["text"], "pinned": data.get("pinned", False)}
    return web.json_response(NOTES[data["key"]], status=201)


@routes.view(r"/notes/{key:[a-z]+}")
class Note(web.View):
    """One note."""

    async def get(self) -> web.Response:
        """The note."""
        return web.json_response(find(self.request.match_info["key"]))

    async def put(self) -> web.Response:
        """Another text for the note."""
        note = find(self.request.match_info["key"])
        data = await self.request.json()
        note["text"] = data["text"]
        return web.json_response(note)

    async def delete(self) -> web.Response:
        """Takes the note away."""
        find(self.request.match_info["key"])
        del NOTES[self.request.match_info["key"]]
        return web.Response(status=204)


class Admin:
    """What only the owner does."""

    async def health(self, request: web.Request) -> web.Response:
        """Whether all is well."""
        return web.Response(text="ok")

    async def moved(self, request: web.Request) -> web.Response:
        """Leads to where it went."""
        raise web.HTTPFound("/admin/health")

    async def import_all(self, request: web.Request) -> web.Response:
        """Takes in what a form sends."""
        data = await request.post()
        if request.headers["X-Owner"] != "me":
            raise web.HTTPForbidden
        return web.json_response({"taken": len(str(data["notes"]))}, status=202)
