from datetime import datetime, timezone
from uuid import UUID

from connexion import NoContent

from connexion_parking.errors import NotFound
from connexion_parking.repository import repository


async def begin(body):
    stay = await repository.begin(body["spotId"], body["plate"])
    return stay, 201


async def get_one(stay_id):
    return await repository.stay(UUID(stay_id))


async def end(stay_id, body=None):
    stay = await repository.stay(UUID(stay_id))
    stay["end"] = datetime.now(timezone.utc).isoformat()
    return stay, 200


async def photo(stay_id, file):
    await repository.stay(UUID(stay_id))
    content = await file.read()
    if not content:
        return {"title": "Empty", "detail": "The photo is empty", "status": 422}, 422
    return NoContent, 204


async def tariff(name):
    tariffs = {"day": 12.5, "night": 6.0}
    if name not in tariffs:
        raise NotFound(f"No tariff {name}")
    return {"name": name, "price": tariffs[name], "currency": "EUR"}
