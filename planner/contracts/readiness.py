"""Whether an operation can be expected to take a request, after all was done that its contract and stories tell."""

from __future__ import annotations

import re
from collections.abc import Collection

from planner.contracts.conflicts import tells_of_too_little, zeros_told
from planner.contracts.lifecycles import Subject, act_for, brought_about, chain_of, lifecycle_of, subject_of
from planner.contracts.operations import Operation, State
from planner.contracts.state_words import word_of
from planner.contracts.states import CLAUSE, OF_STATES, is_vague, tells_a_state, unready
from planner.contracts.supplies import supply_of

_GENERAL = re.compile(r"\b(?:states?|status|stands?|conflicts?)\b", re.I)


def unready_as_made(operation: Operation, operations: Collection[Operation]) -> str | None:
    """The documented refusal that a request may meet although all was done that the contract tells; else None."""
    refusal = unready(operation)
    if refusal is None and lifecycle_of(operation, operations).needs is not None:
        # It is told how the thing has to stand, and no act is known to bring it there.
        conflict = next((each for each in operation.answers if each.status in OF_STATES), None)
        is_brought = chain_of(operation, operations, (operation.key,)) is not None
        return f"{conflict.status} ({conflict.words})" if conflict is not None and not is_brought else None
    subject = subject_of(operation, operations) if refusal is not None else None
    if refusal is None or subject is None or is_vague(refusal):
        return refusal
    found = lifecycle_of(operation, operations)
    words = {state.word for state, _ in found.refused} | ({found.needs.word} if found.needs else set())
    clauses = [each for each in CLAUSE.split(refusal.partition(" (")[2].rstrip(")")) if tells_a_state(each)]
    chain = chain_of(operation, operations, (operation.key,))
    if chain is None or not (words or clauses):
        return refusal
    is_told = all(
        _names(each, words)
        or (words and _GENERAL.search(each))
        or zeros_told(each, subject)
        or (tells_of_too_little(each) and supply_of(operation, operations) is not None)
        for each in clauses
    )
    end = brought_about(chain[-1], operations) if chain else None
    is_left = all(
        _is_left(state, subject, operation, operations)
        or (end is not None and end.field == state.field and end != state)
        for state, _ in found.refused
    )
    return None if is_told and is_left else refusal


def _is_left(
    state: State,
    subject: Subject,
    operation: Operation,
    operations: Collection[Operation],
) -> bool:
    """Whether what was only just made does not stand so: another act, which is taken at once, leads there."""
    if (first := subject.first(state.field)) is not None:
        return state != first
    act = act_for(state, subject, operations)
    return act is not None and act.key != operation.key and lifecycle_of(act, operations).needs is None


def _names(clause: str, words: Collection[str]) -> bool:
    return any(re.search(rf"\b{word_of(each)}\b", clause, re.IGNORECASE) for each in words)
