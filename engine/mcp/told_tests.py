"""What the tools about the test plan answer."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from engine.mcp.told import Answer, NextOffset
from engine.sessions.records import Session
from planner.cases import Layer, Status, Technique


class Case(Struct, frozen=True, kw_only=True):
    """A test case of the plan."""

    id: str
    description: str
    subject: str
    aspect: str
    technique: Technique
    layer: Layer
    status: Status
    priority: float
    why: tuple[str, ...]
    cites: tuple[str, ...]
    node: Annotated[str, Meta(description="pytest's node id; empty while there is no test.")]
    needs: Annotated[str, Meta(description="What a person has to add before the test can be written.")]
    last_error: str


class CasesPage(Answer, frozen=True, kw_only=True):
    """Cases of the test plan, the most important first."""

    counts: Annotated[dict[str, int], Meta(description="How many cases of the whole plan stand how.")]
    total: int
    cases: tuple[Case, ...]
    next_offset: NextOffset


class TestSession(Answer, frozen=True, kw_only=True):
    """A test session; lists are cut, and `more_…` says by how much."""

    session: Session


class Planned(CasesPage, frozen=True, kw_only=True):
    """The plan as it is now."""

    new: int
    obsolete: int
    written: Annotated[bool, Meta(description="Whether the checklist was written.")]


class Generated(CasesPage, frozen=True, kw_only=True):
    """What generating did; `cases` are those whose tests were asked for."""

    written: int
    kept: Annotated[int, Meta(description="Tests that a person edited, and that stayed as they are.")]
    declined: Annotated[int, Meta(description="Cases that need a person first; see `needs`.")]
    rejected: Annotated[int, Meta(description="Tests that their proof on twins showed to be weak or wrong.")]


class Ran(CasesPage, frozen=True, kw_only=True):
    """What running came to; `cases` are those that ran."""

    ran: int
    sandbox: str
    exit_code: Annotated[int, Meta(description="1 where a test is red and no finding expects it to be.")]
