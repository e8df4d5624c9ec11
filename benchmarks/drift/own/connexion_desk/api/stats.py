"""Figures."""

from connexion_desk.api.tickets import _tickets


def search(since: str, *, detailed: bool = False) -> dict:
    counts = {"open": 0, "closed": 0}
    for ticket in _tickets.values():
        counts[ticket["state"]] += 1
    return {"since": since, "detailed": detailed, "counts": counts}
