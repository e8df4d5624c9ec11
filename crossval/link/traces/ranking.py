"""Ranks operations by how much speaks for each criterion meaning them: no functions, tests or constants beside them.

Their company is left out: operations of one resource are all alike, and one of them is meant.
"""

from __future__ import annotations

from crossval.link.traces.calibration import FIRST, probabilities
from crossval.link.traces.evidence import gather
from crossval.link.traces.words_of import Code, passages
from graph.source import FactSource


def ranked_operations(source: FactSource) -> dict[str, list[tuple[str, float]]]:
    """For each criterion (and each story without any) by id: keys of operations and their chances, the likeliest first.

    Empty where there is nothing to rank. The chance is comparable within one project only.
    """
    demanded = passages(source)
    operations = Code(source).operations() if demanded else []
    found: dict[str, list[tuple[str, float]]] = {}
    for each in gather(demanded, operations).candidates:
        chances = [float(chance) for chance in probabilities(each.features, FIRST)]
        order = sorted(range(len(chances)), key=lambda place: (-chances[place], int(each.rows[place])))
        found[demanded[each.passage].id] = [
            (operations[int(each.rows[place])].id.split(":", 2)[2], chances[place]) for place in order
        ]
    return found
