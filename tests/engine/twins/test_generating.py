"""Each draft stands alone: one that is no Python is declined with its reason, and the others are written."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

import engine.generating
from engine.configuration import Settings
from engine.generating import generate
from engine.generators.operations.contract import ContractGenerator
from engine.planning import make_plan
from engine.project import Project
from graph.store.store import Store
from planner.cases import Case, Status, Technique
from planner.generator import Context, Declined, Draft

EXAMPLE = Path(__file__).parent.parent.parent.parent / "specs_examples" / "todo-tdd"


class Broken(ContractGenerator):
    """Writes half a line into the tests of one technique."""

    def generate(self, case: Case, context: Context) -> Draft | Declined:
        answer = super().generate(case, context)
        if isinstance(answer, Draft) and case.technique is Technique.GONE:
            return msgspec.structs.replace(answer, source=answer.source + "    assert not (\n")
        return answer


def test_a_draft_that_is_no_python_is_declined_and_the_others_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "todo"
    shutil.copytree(EXAMPLE / "specs", root / "specs")
    settings = msgspec.structs.replace(Settings(), history=False, app="todo.main:app")
    project = Project(root, (), settings, Store.open(None))
    make_plan(project, tell=lambda words: None)
    monkeypatch.setattr(engine.generating, "generators", lambda: (Broken(),))
    techniques = (Technique.GONE, Technique.BOUND_BROKEN)
    cases = generate(project, wanted=lambda case: case.technique in techniques).cases
    gone = [case for case in cases if case.technique is Technique.GONE]
    bounds = [case for case in cases if case.technique is Technique.BOUND_BROKEN and case.node]
    assert [case.status for case in gone] == [Status.NEEDS_HUMAN]
    assert gone[0].needs.startswith("a test that is Python: what was written is not")
    assert bounds
    assert all(case.status is Status.GENERATED for case in bounds)
