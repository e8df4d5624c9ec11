"""Clusters of failures for the healers' tests: files of code then and now, files of tests, and what moved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from graph.facts import Fact
from healer.analysis import Analysis, Category
from healer.editing.edits import edited
from healer.evidence import Judgement, Ruling
from healer.healer import Healer, Patient
from healer.movements import Movement
from healer.payload import Payload
from ingest.ingestor import Document, Role
from ingest.python.reader import PythonReader
from planner.validator import Frame


def facts(files: Mapping[str, str]) -> dict[str, Fact]:
    """The facts of Python files, by id."""
    found: dict[str, Fact] = {}
    for path, text in files.items():
        module = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        extract = PythonReader().read(Document(path=path, role=Role.PYTHON, text=text, module=module))
        found |= {fact.id: fact for fact in extract.facts}
    return found


def movement(**said: Any) -> Movement:
    """A movement of the code whose body is otherwise equal, unless something else is said."""
    return msgspec.convert({"side": "code", "whole": True, "before": said["subject"]} | said, Movement)


def patient(
    then: Mapping[str, str],
    now: Mapping[str, str],
    tests: Mapping[str, str],
    movements: Iterable[Movement],
    *,
    nodes: Sequence[str] = (),
    **analysis: Any,
) -> Patient:
    """A cluster of the failures of these tests (of the first file as a whole), explained by all that moved."""
    old, new = facts(then), facts(now)
    told = tuple(movements)
    line = analysis.pop("line", 0)
    files = {**now, **tests}
    analyses = tuple(
        Analysis(
            node=node,
            file=node.partition("::")[0],
            category=analysis.get("category", Category.COMPLEX_FAILURE),
            root=Frame(node.partition("::")[0], line, "test", "test") if line else None,
            line=line,
            **{name: value for name, value in analysis.items() if name != "category"},
        )
        for node in nodes or (next(iter(tests)),)
    )
    judgement = Judgement(ruling=Ruling.TEST_STALE, reason="it moved", explained_by=told)
    return Patient(
        analyses=analyses,
        judgement=judgement,
        movements=told,
        read=files.get,
        then=old.get,
        now=new.get,
    )


def healed(healer: Healer, sick: Patient, attempt: int = 0) -> dict[str, str]:
    """The new texts of the files that an attempt of a healer changes."""
    attempts: list[tuple[Payload, ...]] = list(healer.propose(sick))
    if attempt >= len(attempts):
        return {}
    return {
        each.file_to_patch: edited(each, sick.read(each.file_to_patch) or "").words
        for each in attempts[attempt]
    }
