"""How `heal` and `review` show treatments and what waits for a person, as text and as JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import click
import msgspec

from crossval.report.escape import clean, clean_line
from crossval.report.sections import plural
from engine.cli.console import wants_colour
from engine.healing.made import Made
from engine.healing.queue import Pending
from engine.healing.records import Healed, Proposal, Result, Treatment
from engine.healing.trials import is_red
from graph.facts import Json
from healer.evidence import Ruling

_LISTED = 5
_PATH = re.compile(r"^\+\+\+ b/(.+)$", re.MULTILINE)
_COLOURS = {
    Result.HEALED: "green",
    Result.PROPOSED: "green",
    Result.CODE_WRONG: "red",
    Result.NEEDS_HUMAN: "yellow",
    Result.FLAKY: "yellow",
    Result.ENVIRONMENT: "yellow",
}


def healed_document(healed: Healed) -> dict[str, Json]:
    """What a run of healing came to, as JSON."""
    outcomes = healed.before.values()
    return {
        "version": 1,
        "dry_run": healed.dry,
        "tests": {"ran": len(healed.before), "red": sum(map(is_red, outcomes))},
        "clusters": [_treatment_document(each) for each in healed.treatments],
        "sandbox": healed.level,
    }


def pending_document(entry: Pending) -> dict[str, Json]:
    """What waits for a person, as JSON."""
    document: dict[str, Json] = msgspec.to_builtins(entry)
    document["proposals"] = [_proposal_document(each) for each in entry.proposals]
    return document


def healed_text(healed: Healed) -> str:
    """What a run of healing came to, for people: each cluster, and the counts."""
    parts = [_treatment_text(each) for each in healed.treatments]
    red = [node for node, outcome in healed.before.items() if is_red(outcome)]
    counts = Counter(each.result for each in healed.treatments)
    told = ", ".join(f"{counts[result]} {result}" for result in Result if counts[result])
    done = dict.fromkeys(node for each in healed.treatments for node in each.healed)
    left = dict.fromkeys(node for each in healed.treatments for node in each.nodes if node not in done)
    files = sum("::" not in node for node in red)
    line = f"{plural(len(healed.before), 'test')} ran, {len(red)} red"
    line += f" ({plural(files, 'file')} could not be collected)" if files else ""
    if healed.treatments:
        line += f" for {plural(len(healed.treatments), 'cause')}: {told}; {plural(len(done), 'test')} healed"
        line += f", {len(left)} left" if done and left else ""
    elif not red and healed.before:
        line += "; nothing to heal"
    return "\n\n".join([*parts, "\n".join([f"{line}.", *_next_steps(healed)])])


def _next_steps(healed: Healed) -> list[str]:
    """What a person may do now: look at what was edited, decide what waits."""
    steps = []
    edited = dict.fromkeys(
        path
        for each in healed.treatments
        if each.result is Result.HEALED
        for path in _PATH.findall(clean(each.diff))
    )
    if edited and not healed.dry:
        steps.append(f"Edited: {', '.join(edited)}.")
    if any(each.review for each in healed.treatments):
        steps.append("`crossfact review` shows what waits for a person.")
    return steps


def pending_text(entry: Pending, *, whole: bool) -> str:
    """What waits for a person; `whole` with the edits that were proposed."""
    lines = [_coloured(f"{entry.id} {entry.judgement.ruling}", "yellow") + clean_line(f" {entry.error}")]
    lines += _node_lines(entry.nodes)
    lines.append(clean_line(f"  {entry.judgement.reason}"))
    lines += _evidence_lines(entry.judgement.evidence, entry.since)
    if not whole:
        lines.append(f"  {plural(len(entry.proposals), 'proposal')}")
        return "\n".join(lines)
    for number, proposal in enumerate(entry.proposals, start=1):
        words = "; ".join(dict.fromkeys(each.reasoning for each in proposal.payloads if each.reasoning))
        about = f"proposal {number} by {proposal.healer}, confidence {proposal.confidence:g}: {words}"
        lines.append(clean_line(f"  {about}"))
        lines.append(diff_text(proposal.diff))
    lines += [clean_line(f"  tried: {each}") for each in entry.refused]
    return "\n".join(lines)


def made_text(made: Made) -> str:
    """A heal that can be taken back, with what it changed."""
    lines = [_coloured(made.id, "green") + clean_line(f" {made.time} by {', '.join(made.healers)}")]
    return "\n".join([*lines, *_node_lines(made.nodes), diff_text(made.diff)])


def made_document(made: Made) -> dict[str, Json]:
    """A heal that can be taken back, as JSON."""
    return {
        "id": made.id,
        "time": made.time,
        "nodes": list(made.nodes),
        "healers": list(made.healers),
        "files": [each.path for each in made.files],
        "diff": made.diff,
    }


def diff_text(diff: str) -> str:
    """A diff with nothing in it that could steer a terminal, in colours where it shows them."""
    colours = {"+": "green", "-": "red", "@": "cyan"}
    lines = clean(diff).rstrip("\n").split("\n") if diff else []
    return "\n".join(_coloured(line, colours.get(line[:1], "")) for line in lines)


def _treatment_text(treatment: Treatment) -> str:
    first = treatment.analyses[0]
    error = f"{first.exception}: {first.message}".strip(": ").partition("\n")[0]
    lines = [
        _coloured(str(treatment.result), _COLOURS[treatment.result])
        + clean_line(f" {first.category}: {error}")
    ]
    lines += _node_lines(treatment.nodes)
    lines.append(clean_line(f"  {treatment.judgement.ruling}: {treatment.judgement.reason}"))
    where = {each.fact: each for each in treatment.cited}
    lines += [
        clean_line(
            f"  {where[each].path}:{where[each].line}: {each}: {where[each].statement}"
            if each in where
            else f"  {each}"
        )
        for each in treatment.judgement.evidence[:_LISTED]
    ]
    more = len(treatment.judgement.evidence) - _LISTED
    lines += [f"  … and {plural(more, 'fact')} more"] if more > 0 else []
    lines += [clean_line(f"  compared with {treatment.since}")] if treatment.since else []
    lines += [
        clean_line(f"  {each.healer} ({', '.join(each.methods)}): {each.outcome}")
        for each in treatment.proposals
    ]
    if not treatment.proposals and treatment.judgement.ruling in (Ruling.TEST_STALE, Ruling.TEST_WRONG):
        lines.append("  nobody here can make this edit: it is for a person")
    if treatment.review:
        lines.append(f"  waits in the review as {treatment.review}")
    if treatment.diff:
        lines.append(diff_text(treatment.diff))
    if treatment.undo:
        lines.append(f"  to take it back: crossfact review --undo {treatment.undo}")
    return "\n".join(lines)


def _node_lines(nodes: Sequence[str]) -> list[str]:
    lines = [clean_line(f"  {node}") for node in nodes[:_LISTED]]
    return lines + ([f"  … and {len(nodes) - _LISTED} more"] if len(nodes) > _LISTED else [])


def _evidence_lines(evidence: Iterable[str], since: str) -> list[str]:
    lines = [clean_line(f"  evidence: {each}") for each in evidence]
    return lines + ([clean_line(f"  compared with {since}")] if since else [])


def _coloured(text: str, colour: str) -> str:
    return click.style(text, fg=colour) if colour and wants_colour() else text


def _treatment_document(treatment: Treatment) -> dict[str, Json]:
    first = treatment.analyses[0]
    return {
        "nodes": list(treatment.nodes),
        "outcome": str(treatment.result),
        "healed": list(treatment.healed),
        "category": str(first.category),
        "ruling": str(treatment.judgement.ruling),
        "reason": treatment.judgement.reason,
        "evidence": list(treatment.judgement.evidence),
        "cited": [msgspec.to_builtins(each) for each in treatment.cited],
        "confidence": treatment.judgement.confidence,
        "explained_by": [msgspec.to_builtins(each) for each in treatment.judgement.explained_by],
        "since": treatment.since,
        "proposals": [_proposal_document(each) for each in treatment.proposals],
        "diff": treatment.diff,
        "review": treatment.review,
        "undo": treatment.undo,
        "analysis": msgspec.to_builtins(first),
    }


def _proposal_document(proposal: Proposal) -> dict[str, Json]:
    return {
        "healer": proposal.healer,
        "method": "+".join(proposal.methods),
        "confidence": proposal.confidence,
        "outcome": proposal.outcome,
        "diff": proposal.diff,
        "payloads": [msgspec.to_builtins(each) for each in proposal.payloads],
    }
