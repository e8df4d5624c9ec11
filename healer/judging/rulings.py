"""Makes judgements of what was found: their words and their evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from healer.evidence import Judgement, Ruling
from healer.judging.statement import Statement
from healer.movements import Cause, Movement

_TOLD = 3
_LONGEST = 100


def code_wrong(statement: Statement, others: Iterable[str], reason: str) -> Judgement:
    """The code is wrong by a statement of a spec; `others` are ids of facts that tell what changed."""
    return Judgement(
        ruling=Ruling.CODE_WRONG,
        reason=reason if reason.endswith(".") else f"{reason}.",
        evidence=tuple(dict.fromkeys((statement.fact, *others))),
        confidence=statement.weight,
    )


def undecided(reason: str, evidence: Iterable[str] = ()) -> Judgement:
    """A person has to decide."""
    return Judgement(ruling=Ruling.UNDECIDED, reason=reason, evidence=tuple(dict.fromkeys(evidence)))


def facts(movements: Iterable[Movement]) -> tuple[str, ...]:
    """The ids of the facts that tell movements, each once."""
    return tuple(dict.fromkeys(name for each in movements for name in each.facts))


def distinct(movements: Iterable[Movement]) -> list[Movement]:
    """Movements in their order, each once."""
    found: list[Movement] = []
    for each in movements:
        if each not in found:
            found.append(each)
    return found


def told(movement: Movement) -> str:
    """A movement in words."""
    if (movement.before is None and movement.after is None) or movement.cause is Cause.BODY_CHANGED:
        return f"{movement.cause}: {movement.subject}"
    if movement.before == movement.subject:
        is_elsewhere = movement.after not in (None, movement.subject)
        return f"{movement.cause}: {movement.subject}" + (
            f" to {_shown(movement.after)}" if is_elsewhere else ""
        )
    return f"{movement.cause}: {movement.subject}, {_shown(movement.before)} to {_shown(movement.after)}"


def all_told(movements: Sequence[Movement]) -> str:
    """Movements in words, the first of them: each thing once."""
    words = list(dict.fromkeys(map(told, movements)))
    more = len(words) - _TOLD
    return "; ".join(words[:_TOLD]) + (f"; and {more} more" if more > 0 else "")


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    text = " ".join((", ".join(map(str, value)) if isinstance(value, list) else str(value)).split())
    return text if len(text) <= _LONGEST else text[:_LONGEST].rstrip() + "…"
