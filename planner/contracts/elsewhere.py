"""What acts on one thing bring about of another: renting a vehicle leaves it rented, though it makes a rental.

Stories tell it (`Accepting an offer sets the listing's status to sold`); else the verb of an operation does, of whose
body a field has to name the thing: `POST /rentals`, `Rent a vehicle`, for a `vehicle` of which `rented` is a state.
"""

from __future__ import annotations

from collections.abc import Collection

from crossval.compare.claims import words
from planner.contracts.lifecycles import Subject
from planner.contracts.operations import Operation, State
from planner.contracts.references import fields_naming
from planner.contracts.verbs import brings_about


def act_elsewhere(state: State, subject: Subject, operations: Collection[Operation]) -> Operation | None:
    """The one act for another thing that leaves one of this kind in a state; None where none or several do."""
    told = [each for each in operations if (subject.maker.key, state) in each.leads]
    found = told or [
        each
        for each in operations
        if each.method == "POST"
        and brings_about(_verb(each), state.word)
        and fields_naming(subject.maker, each.required(), operations)
    ]
    return found[0] if len(found) == 1 else None


def _verb(operation: Operation) -> str:
    """The verb with which the summary of an operation begins; empty where it has none."""
    told = words(str(operation.fact.aspects.get("summary") or ""))
    return told[0] if told else ""
