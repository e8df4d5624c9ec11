from connexion import request

from connexion_parking.repository import repository


async def search(level: int | None = None, free: bool = False, limit: int = 50):
    trace = request.headers.get("X-Request-ID")
    spots = [
        s
        for s in repository.spots.values()
        if (level is None or s["level"] == level) and not (free and s["occupied"])
    ]
    return (
        {"items": spots[:limit], "total": len(spots)},
        200,
        {"X-Total-Count": str(len(spots)), "X-Request-ID": trace or ""},
    )


async def create(body: dict, user: str | None = None, token_info: dict | None = None):
    spot_id = max(repository.spots, default=0) + 1
    spot = {
        "id": spot_id,
        "level": body["level"],
        "label": body["label"],
        "kind": body.get("kind", "car"),
        "occupied": False,
    }
    repository.spots[spot_id] = spot
    return spot, 201


async def get(spot_id: int):
    return await repository.spot(spot_id)


async def update(spot_id: int, body: dict):
    spot = await repository.spot(spot_id)
    spot.update(body)
    return spot


async def remove(spot_id: int):
    await repository.spot(spot_id)
    del repository.spots[spot_id]
    return None, 204
