"""Where a framework refuses what is invalid with a status of its own, of which a contract says nothing anywhere."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from graph.facts import Kind, Tag
from graph.source import FactSource
from planner.contracts.operations import Operation

_OWN = "422"
_LEAVING_OUT = frozenset({"django"})
"""What is read of Ninja is told as of Django. It does not write into contracts that it refuses so."""


def with_own_refusals(operations: Iterable[Operation], source: FactSource) -> list[Operation]:
    """The operations, of which those are marked that may answer 422 before any line of the code's own is reached.

    Exporters of Django Ninja leave that out of every operation. A contract that has the status anywhere was written by
    somebody who knows of it, and is taken at its word; so is one beside a framework whose exporter has it.
    """
    every = list(operations)
    if any(answer.status == _OWN for each in every for answer in each.answers):
        return every
    by_framework = {
        fact.key.partition("#")[0]
        for fact in source.facts(tag=Tag.CODE, kinds={Kind.RESPONSE})
        if fact.aspects.get("origin") == "framework" and fact.key.endswith(f"#{_OWN}")
    }
    exported = {
        fact.key
        for fact in source.facts(tag=Tag.CODE, kinds={Kind.OPERATION})
        if fact.aspects.get("framework") in _LEAVING_OUT
    }
    by_framework &= exported
    if not by_framework:
        return every
    return [
        msgspec.structs.replace(each, own_refusal=_OWN) if each.key in by_framework else each
        for each in every
    ]
