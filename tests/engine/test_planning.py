"""`crossfact plan` and `status` on real projects."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from engine.configuration import Settings
from engine.planning import make_plan, read_cases
from engine.project import Project
from graph.errors import ConfigurationError, NothingToCompare
from graph.store.store import Store
from planner.cases import Case, Layer, Status, Technique
from planner.checklist import FILE

EXAMPLES = Path(__file__).parent.parent.parent / "specs_examples"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    shutil.copytree(EXAMPLES / "todo-tdd", tmp_path / "todo", ignore=shutil.ignore_patterns(".crossfact"))
    return Project(
        tmp_path / "todo", (), msgspec.structs.replace(Settings(), history=False), Store.open(None)
    )


def by_id(cases: tuple[Case, ...], start: str) -> Case:
    (found,) = [case for case in cases if case.id.startswith(start)]
    return found


def test_a_contract_without_code_asks_for_tests_of_each_documented_behaviour(project: Project) -> None:
    cases = make_plan(project, tell=print).cases
    success = by_id(cases, "post-todos-success-201")
    assert success.cites == ("spec:response:POST /todos#201",)
    assert (success.layer, success.generator) == (Layer.INTEGRATION, "contract")
    broken = by_id(cases, "post-todos-bound-broken-body-title-maxlength")
    assert broken.target == {
        "operation": "POST /todos",
        "place": "body.title",
        "bound": "maxLength",
        "value": 80,
    }
    assert by_id(cases, "delete-todos-id-gone").cites == (
        "spec:response:DELETE /todos/{id}#204",
        "spec:response:GET /todos/{id}#404",
    )
    assert by_id(cases, "ac-3-2-criterion").technique is Technique.CRITERION


def test_the_priority_is_the_sum_of_terms_that_are_explained(project: Project) -> None:
    for case in make_plan(project, tell=print).cases:
        assert case.priority == pytest.approx(sum(term.points for term in case.why), abs=0.01)
        assert all(term.why for term in case.why)
    success = by_id(read_cases(project), "post-todos-success-201")
    assert success.why[0].why.startswith("error operation-not-implemented")
    assert success.findings


def test_planning_again_changes_nothing(project: Project) -> None:
    make_plan(project, tell=print)
    text = (project.root / FILE).read_text(encoding="utf-8")
    plan = make_plan(project, tell=print)
    assert (plan.new, plan.obsolete) == ((), ())
    assert (project.root / FILE).read_text(encoding="utf-8") == text


def test_what_a_person_wrote_stays_while_priorities_follow_what_happened(project: Project) -> None:
    make_plan(project, tell=print)
    file = project.root / FILE
    text = file.read_text(encoding="utf-8").replace("status: PENDING", "status: PASSED  # by me", 1)
    file.write_text(text, encoding="utf-8")
    make_plan(project, tell=print)
    again = file.read_text(encoding="utf-8")
    assert "status: PASSED  # by me" in again
    assert "0 of 1 tests of it failed before" in again


def test_a_case_whose_operation_left_the_contract_is_obsolete(project: Project) -> None:
    make_plan(project, tell=print)
    contract = project.root / "specs" / "openapi.yaml"
    text = contract.read_text(encoding="utf-8")
    start, end = text.index("    delete:"), text.index("components:")
    contract.write_text(text[:start] + text[end:], encoding="utf-8")
    plan = make_plan(project, tell=print)
    assert plan.obsolete
    assert all(each.startswith(("delete-", "ac-3-2-", "us-3-3-")) for each in plan.obsolete)
    assert by_id(plan.cases, "delete-todos-id-gone").status is Status.OBSOLETE


def test_a_mistake_in_the_checklist_is_told_and_nothing_is_written(project: Project) -> None:
    file = project.root / FILE
    file.write_text("test_cases:\n  - id: a\n    status: DONE\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"yaml:3"):
        make_plan(project, tell=print)
    assert file.read_text(encoding="utf-8") == "test_cases:\n  - id: a\n    status: DONE\n"


def test_a_project_whose_docstrings_are_all_that_is_promised_has_a_plan(tmp_path: Path) -> None:
    (tmp_path / "parts.py").write_text('def half(n):\n    """Half.\n\n    >>> half(4)\n    2\n    """\n')
    project = Project(tmp_path, (), msgspec.structs.replace(Settings(), history=False), Store.open(None))
    (case,) = make_plan(project, tell=print).cases
    assert (case.technique, case.generator) == (Technique.EXAMPLE, "doctests")


def test_a_project_without_specs_and_docstrings_has_nothing_to_plan(tmp_path: Path) -> None:
    (tmp_path / "parts.py").write_text("def half(n):\n    return n / 2\n")
    project = Project(tmp_path, (), msgspec.structs.replace(Settings(), history=False), Store.open(None))
    with pytest.raises(NothingToCompare) as raised:
        make_plan(project, tell=print)
    assert "Examples in docstrings or pages" in raised.value.remedy
