"""What the tools about healing answer."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from engine.healing.records import Result
from engine.mcp.told import Answer, NextOffset
from healer.evidence import Ruling


class Edit(Struct, frozen=True, kw_only=True):
    """One attempt: who proposes it, how sure that is, what it would change, and what came of it."""

    healer: str
    methods: tuple[str, ...]
    confidence: float
    reasoning: tuple[str, ...]
    diff: str
    outcome: str


class Cause(Struct, frozen=True, kw_only=True):
    """Red tests that share a cause: who is wrong, why, and the ids of the facts that show it."""

    nodes: tuple[str, ...]
    more_nodes: Annotated[int, Meta(description="How many more tests share the cause.")]
    category: str
    error: str
    ruling: Ruling
    reason: str
    evidence: tuple[str, ...]
    confidence: float
    edits: tuple[Edit, ...]


class Treated(Cause, frozen=True, kw_only=True):
    """A cause and what would become of it."""

    result: Result
    since: Annotated[str, Meta(description="The revision that today was compared with.")]


class Proposed(Answer, frozen=True, kw_only=True):
    """What healing would do; nothing was changed."""

    ran: int
    sandbox: str
    causes: tuple[Treated, ...]
    more_causes: int


class Review(Cause, frozen=True, kw_only=True):
    """An entry that waits for a person."""

    id: str
    refused: Annotated[tuple[str, ...], Meta(description="What was tried and did not hold.")]


class Reviews(Answer, frozen=True, kw_only=True):
    """Entries that wait for a person."""

    total: int
    entries: tuple[Review, ...]
    next_offset: NextOffset
