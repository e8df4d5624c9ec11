from datetime import datetime, timezone
from uuid import UUID, uuid4

from connexion_parking.errors import NotFound, SpotOccupied


class Repository:
    def __init__(self):
        self.spots: dict[int, dict] = {}
        self.stays: dict[UUID, dict] = {}

    async def spot(self, spot_id: int) -> dict:
        spot = self.spots.get(spot_id)
        if spot is None:
            raise NotFound(f"There is no spot {spot_id}")
        return spot

    async def stay(self, stay_id: UUID) -> dict:
        if stay_id not in self.stays:
            raise NotFound("There is no such stay")
        return self.stays[stay_id]

    async def begin(self, spot_id: int, plate: str) -> dict:
        spot = await self.spot(spot_id)
        if spot["occupied"]:
            raise SpotOccupied(f"Spot {spot_id} is occupied")
        spot["occupied"] = True
        stay = {
            "id": str(uuid4()),
            "spotId": spot_id,
            "plate": plate,
            "begin": datetime.now(timezone.utc).isoformat(),
            "end": None,
        }
        self.stays[UUID(stay["id"])] = stay
        return stay


repository = Repository()
