"""Who may see and change bookings."""

from typing import Annotated

from fastapi import HTTPException, Security
from fastapi.security import APIKeyHeader

KEYS = {"reception": "let-me-in"}

header = APIKeyHeader(name="X-API-Key", auto_error=False)


def caller(key: Annotated[str | None, Security(header)]) -> str:
    """Who calls, by their key."""
    for name, known in KEYS.items():
        if key == known:
            return name
    raise HTTPException(401, "The key is missing or wrong.")
