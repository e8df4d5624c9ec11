"""Tickets."""

from datetime import datetime

from connexion import NoContent

_tickets = {}
_next = 1


def _find(ticket_id):
    return _tickets.get(ticket_id)


def search(state=None, page=1, per_page=20):
    items = [t for t in _tickets.values() if state is None or t["state"] == state]
    start = (page - 1) * per_page
    return {"items": items[start : start + per_page], "total": len(items)}


def post(body):
    global _next
    ticket = {
        "id": _next,
        "title": body["title"],
        "body": body.get("body", ""),
        "state": "open",
        "created": datetime.utcnow().isoformat(),
    }
    _tickets[_next] = ticket
    _next += 1
    return ticket, 201, {"Location": f"/tickets/{ticket['id']}"}


def get(ticket_id: int):
    ticket = _find(ticket_id)
    if ticket is None:
        return {"detail": "no such ticket"}, 404
    return ticket


def patch(ticket_id: int, body: dict):
    ticket = _find(ticket_id)
    if not ticket:
        return {"detail": "no such ticket"}, 404
    if ticket["state"] == "closed":
        return {"detail": "it is closed"}, 409
    if "title" in body:
        ticket["title"] = body["title"]
    ticket["state"] = body.get("state", ticket["state"])
    return ticket, 200


def delete(ticket_id: int):
    if ticket_id not in _tickets:
        return {"detail": "no such ticket"}, 404
    del _tickets[ticket_id]
    return NoContent, 204
