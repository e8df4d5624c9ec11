"""Renders scores as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.drift.operators.registry import OPERATORS
from benchmarks.drift.run import Score, Skip, total


def summary(name: str, part: str, scores: Sequence[Score], skipped: Sequence[Skip], twice: int) -> list[str]:
    """The cells of a framework's row in the table."""
    made, told = total(s.made for s in scores), total(s.told for s in scores)
    operations, found = sum(s.operations for s in scores), sum(s.found for s in scores)
    false, true = sum(len(s.false) for s in scores), sum(s.true for s in scores)
    neutral = total(s.neutral for s in scores).total()
    worst = min((told[key] / made[key], key) for key in made) if made else (0.0, "")
    return [
        name,
        part,
        f"{len(scores)} ({twice} alike, {len(skipped)} without truth)",
        f"{found}/{operations} ({_ratio(found, operations)})",
        f"{told.total()}/{made.total()} ({_ratio(told.total(), made.total())})",
        f"{worst[0]:.2f} ({worst[1]})",
        f"{false} ({100 * false / max(operations, 1):.2f})",
        str(true),
        f"{sum(len(s.neutral_false) for s in scores)}/{neutral}",
    ]


HEAD = (
    "| framework | part | applications | operations found | recall | lowest operator |"
    " findings on true contracts (per 100 operations) | true, not exported | findings on neutral changes |"
    "\n|---|---|---|---|---|---|---|---|---|"
)


def operators(scores: Sequence[Score]) -> Iterator[str]:
    """Recall per operator, as rows."""
    made, told = total(s.made for s in scores), total(s.told for s in scores)
    yield "| operator | changes | found | recall |\n|---|---|---|---|"
    for operator in OPERATORS:
        count = made[operator.name]
        if count:
            yield f"| {operator.name} | {count} | {told[operator.name]} | {told[operator.name] / count:.2f} |"


def rules(scores: Sequence[Score]) -> Iterator[str]:
    """How often each rule is false on true contracts and on neutral changes, without any place: as rows."""
    plain = Counter(line.partition(": ")[0] for score in scores for line in score.false)
    neutral = Counter(line.split(": ", 2)[1] for score in scores for line in score.neutral_false)
    yield "| rule | false on true contracts | on neutral changes |\n|---|---|---|"
    for rule in sorted(plain | neutral):
        yield f"| {rule} | {plain[rule]} | {neutral[rule]} |"


def details(scores: Sequence[Score], limit: int) -> Iterator[str]:
    """What was missed and what was false, application by application."""
    for score in scores:
        lines = [
            *(f"false: {line}" for line in score.false),
            *(f"neutral: {line}" for line in score.neutral_false),
            *(f"missed: {line}" for line in score.missed),
            *(f"unknown: {line}" for line in score.unknown),
        ]
        if score.found < score.operations:
            lines.insert(0, f"operations found: {score.found} of {score.operations}")
        if lines:
            yield f"\n## {score.name}"
            yield from lines[:limit]
            if len(lines) > limit:
                yield f"… {len(lines) - limit} more"


def _ratio(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "–"
