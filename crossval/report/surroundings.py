"""What a report may show beside its findings: the figures of tests and a part of the graph."""

from __future__ import annotations

import msgspec

from graph.facts import Json
from graph.part import Part


class CaseFigures(msgspec.Struct, frozen=True, kw_only=True):
    """One test case of the plan in figures: what it checks, how it stands, what its proof on twins came to.

    `twins_green` of `twins` stand-ins left it green, `mutants_killed` of `mutants` broken ones turned it red; all are 0
    where it was not proven. `holds` says whether the proof holds. `heals` has what was done to mend it, each as the
    checklist tells it.
    """

    id: str
    description: str
    subject: str
    technique: str
    layer: str
    status: str
    priority: float
    cites: tuple[str, ...] = ()
    node: str = ""
    needs: str = ""
    error: str = ""
    real: str = ""
    reason: str = ""
    twins_green: int = 0
    twins: int = 0
    mutants_killed: int = 0
    mutants: int = 0
    holds: bool = False
    heals: tuple[dict[str, Json], ...] = ()


class Surroundings(msgspec.Struct, frozen=True):
    """The cases of the plan in its order, and the facts around what is reported."""

    cases: tuple[CaseFigures, ...] = ()
    part: Part = Part()
