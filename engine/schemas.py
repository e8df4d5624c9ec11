"""The JSON schemas of what crossfact keeps for people and programs: the checklist, and test sessions."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.described import described
from engine.sessions.records import Session
from planner.cases import Case

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Checklist(msgspec.Struct, frozen=True):
    """test_execution_state.yaml: the test plan, which people may edit."""

    test_cases: tuple[Case, ...]


def checklist() -> dict[str, Any]:
    """The schema of the checklist."""
    return {"$schema": _DIALECT, **described(msgspec.json.schema(Checklist))}


def session() -> dict[str, Any]:
    """The schema of a test session."""
    return {"$schema": _DIALECT, **described(msgspec.json.schema(Session))}
