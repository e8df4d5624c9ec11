"""The applications of a project: what tells them apart, and of which of them contracts speak."""

from __future__ import annotations

from collections import Counter

from crossval.compare.http import Operation
from crossval.link.contracts.placing import Route, own_route
from graph.facts import Json

_FAMILIES = {
    "starlette": ("starlette", "fastapi"),
    "flask": (
        "flask",
        "flask-restx",
        "flask-restful",
        "flask-smorest",
        "apiflask",
        "flask-openapi3",
        "quart-schema",
    ),
    "django": ("django", "djangorestframework", "django-ninja"),
}
_PART = 4
"""A contract speaks of an application where it has at least this part of what the application answers."""


def covered_by(served: list[Operation], matched: set[Route]) -> set[tuple[str, Json]]:
    """The applications that the contracts speak of: those that answer something promised which no other one does too
    (`/health`); where there is none, all that answer something promised. One of which little is promised is another
    one's neighbour."""
    answering: dict[Route, set[tuple[str, Json]]] = {}
    for operation in served:
        if own_route(operation) in matched:
            answering.setdefault(own_route(operation), set()).add(application_of(operation))
    alone = [names for names in answering.values() if len(names) == 1]
    found = set().union(*(alone or answering.values()))
    told = Counter(application_of(each) for each in served if own_route(each) in matched)
    whole = Counter(
        application_of(each) for each in served if each.fact.aspects.get("in_schema") is not False
    )
    most = max(told.values(), default=0)
    return {name for name in found if told[name] == most or _PART * told[name] >= whole[name]}


def application_of(operation: Operation) -> tuple[str, Json]:
    """What tells the applications of a project apart: what they are built with, and what their reader says."""
    aspects = operation.fact.aspects
    framework = str(aspects.get("framework", ""))
    family = next((family for family, names in _FAMILIES.items() if framework in names), framework)
    return family, aspects.get("application")
