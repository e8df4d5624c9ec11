"""The tools about healing: what would be done about red tests, and what waits for a person. Neither changes a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.healing.healing import Options, heal
from engine.healing.queue import Pending, Queue
from engine.healing.records import Proposal, Treatment
from engine.mcp import asked, bounds, told_heals
from engine.mcp.desk import Desk
from healer.evidence import Judgement

_LISTED = 30
_EDITS = 5


def propose(desk: Desk, arguments: asked.Healing) -> told_heals.Proposed:
    """The tool `propose_heal`."""
    options = Options(names=arguments.names, since=arguments.since, dry=True, seconds=arguments.seconds)
    with desk.fresh() as project:
        done = heal(project, options, tell=desk.tell)
        shown, count = bounds.fitting(map(_treated, done.treatments))
        return told_heals.Proposed(
            revision=project.store.revision,
            ran=len(done.before),
            sandbox=f"{done.level} ({done.sandbox})" if done.sandbox else done.level,
            causes=shown,
            more_causes=len(done.treatments) - count,
        )


def reviews(desk: Desk, arguments: asked.Paged) -> told_heals.Reviews:
    """The tool `reviews`."""
    with desk.project() as project:
        entries = Queue(project).entries()
        shown, following = bounds.page(entries, arguments, _review)
        return told_heals.Reviews(
            revision=project.store.revision, total=len(entries), entries=shown, next_offset=following
        )


def _treated(treatment: Treatment) -> told_heals.Treated:
    first = treatment.analyses[0]
    error = f"{first.exception}: {first.message}".strip(": ")
    return told_heals.Treated(
        **_cause(treatment.nodes, str(first.category), error, treatment.judgement, treatment.proposals),
        result=treatment.result,
        since=treatment.since,
    )


def _review(entry: Pending) -> told_heals.Review:
    return told_heals.Review(
        **_cause(entry.nodes, entry.category, entry.error, entry.judgement, entry.proposals),
        id=entry.id,
        refused=tuple(bounds.text(each, 500) for each in entry.refused[:_LISTED]),
    )


def _cause(
    nodes: Sequence[str], category: str, error: str, judgement: Judgement, proposals: Sequence[Proposal]
) -> dict[str, Any]:
    """What all records about a cause begin with, checked as one of them."""
    cause = told_heals.Cause(
        nodes=tuple(nodes[:_LISTED]),
        more_nodes=max(0, len(nodes) - _LISTED),
        category=category,
        error=bounds.text(error, 1_000),
        ruling=judgement.ruling,
        reason=bounds.text(judgement.reason, 1_000),
        evidence=judgement.evidence[:_LISTED],
        confidence=judgement.confidence,
        edits=tuple(map(_edit, proposals[:_EDITS])),
    )
    return msgspec.structs.asdict(cause)


def _edit(proposal: Proposal) -> told_heals.Edit:
    return told_heals.Edit(
        healer=proposal.healer,
        methods=tuple(map(str, proposal.methods)),
        confidence=proposal.confidence,
        reasoning=tuple(bounds.text(each.reasoning, 1_000) for each in proposal.payloads[:_EDITS]),
        diff=bounds.text(proposal.diff, 8_000),
        outcome=bounds.text(proposal.outcome, 500),
    )
