"""What the contract names for its operations."""

from __future__ import annotations

from typing import Any

from connexion import NoContent, problem

PETS: dict[int, dict[str, Any]] = {}


class UnknownPetError(Exception):
    """There is no such pet."""


def find(pet_id: int) -> dict[str, Any]:
    """The pet of this number."""
    if pet_id not in PETS:
        raise UnknownPetError
    return PETS[pet_id]


def search(limit: int, kind: str | None = None) -> tuple[list[dict[str, Any]], int]:
    """All pets of a kind."""
    return [pet for pet in PETS.values() if kind in (None, pet["kind"])][:limit], 200


def create(body: dict[str, Any]) -> Any:
    """A new pet."""
    if body["name"] in {pet["name"] for pet in PETS.values()}:
        return problem(409, "Conflict", "there is one of that name")
    number = len(PETS) + 1
    PETS[number] = {"id": number, "name": body["name"], "kind": body["kind"]}
    return {"id": number, "name": str(body["name"]), "kind": str(body["kind"])}, 201


def get(pet_id: int) -> tuple[dict[str, Any], int]:
    """One pet."""
    return find(pet_id), 200


def replace(pet_id: int, body: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Another name for a pet."""
    pet = find(pet_id)
    pet["name"] = body["name"]
    return pet, 200


def remove(pet_id: int) -> tuple[Any, int]:
    """Takes a pet away."""
    find(pet_id)
    del PETS[pet_id]
    return NoContent, 204


def adopt(pet_id: int, day: str, free: bool = False) -> tuple[dict[str, Any], int]:
    """Gives a pet away."""
    find(pet_id)
    return {"day": day, "free": free}, 202
