"""What a twin tells where an answer's shape is left open: what it was asked, and what was left out by its default."""

from __future__ import annotations

from typing import Any

from engine.twins.asked import Asked
from engine.twins.mutation import Mutation
from graph.facts import Json
from planner.contracts.operations import Operation


def told_of(
    operation: Operation, asked: Asked, kept: dict[str, Any], mutation: Mutation | None
) -> dict[str, Any]:
    """Each value of a request by its place, with what is kept of the thing that it is about."""
    told: dict[str, Any] = {**kept}
    for member in operation.parameters:
        value = asked.value_of(member)
        told[member.place] = (
            default_of(operation, member.place, member.schema, mutation) if value is None else value
        )
    body = asked.body
    if isinstance(body, dict):
        fields = operation.body.schema.get("properties", {}) if operation.body is not None else {}
        for name in (*body, *(name for name in fields if name not in body)):
            told.pop(name, None)
            place = f"body.{name}"
            default = default_of(operation, place, fields.get(name, {}), mutation)
            told[place] = body.get(name, default)
    elif body is not None:
        told["body"] = body
    if mutation is not None and mutation.kind == "ignored" and mutation.operation == operation.key:
        told = {place: each for place, each in told.items() if place != mutation.place}
    return told


def default_of(operation: Operation, place: str, schema: dict[str, Json], mutation: Mutation | None) -> Json:
    """What a value is that was left out; another one where the mutation is about it."""
    told = mutation
    if told is not None and (told.kind, told.operation, told.place) == ("default", operation.key, place):
        return told.value
    return schema.get("default")
