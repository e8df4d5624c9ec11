"""Tests of functions whose names stand for something that everybody knows: they answer as the standard says."""

from __future__ import annotations

from engine.generators.functions.facts import Surface, cited
from engine.generators.functions.made import spoken
from engine.generators.functions.written import Written
from graph.facts import Fact
from planner.cases import Case
from planner.functions.known_answers import known_answers, summary


def known(case: Case, fact: Fact, surface: Surface) -> Written:
    """Each known answer is given; no spec says so in as many words, but the name does."""
    unit, rows = surface.unit(fact), known_answers(fact, summary(surface.same(fact)))
    named = "datetime." in "".join(row.result for row in rows)
    lines = []
    for row in rows:
        call = f"{unit.expression}({', '.join(row.given)})"
        call = f"{row.read}({call})" if row.read else call
        is_said = row.result in ("True", "False")
        lines.append(f"assert {call} {'is' if is_said else '=='} {row.result}")
    return Written(
        f"test_{spoken(fact, surface)}_answers_as_its_name_says",
        [unit.imported],
        top=[
            *(["import datetime"] if named else []),
            *(["import json"] if any(row.read for row in rows) else []),
        ],
        assertions=cited(case, lines, inferred=True),
    )
