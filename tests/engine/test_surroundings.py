"""What an HTML report shows beside findings is gathered from the store, the links and the checklist."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from crossval.findings import Finding
from crossval.report.html.page import show
from crossval.report.shown import Manner
from engine.check import Checked, check
from engine.configuration import Settings
from engine.project import Project
from engine.showing import shown_for
from engine.surroundings import story_threads, surroundings
from graph.facts import Verb
from graph.store.store import Store

STORY = """\
# Orders
## US-3 Order a book
As a customer I want to order a book so that I can read it.

### Acceptance criteria
- US-3.1 An order that cannot be met is answered with 409.
- US-3.2 Shipping is free.
"""
CONTRACT = """\
openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /orders:
    post:
      responses:
        '201': {description: placed}
"""
CODE = '''\
from fastapi import FastAPI, HTTPException

app = FastAPI()


@app.post("/orders", status_code=201)
def place_order() -> None:
    """Place an order (US-3.1)."""
    raise HTTPException(409)
'''
CHECKLIST = """\
test_cases:
  - id: post-orders-201
    description: "An order is placed"
    subject: POST /orders
    aspect: responses.201
    technique: success
    layer: L2
    status: HEALED
    cites: ["spec:operation:POST /orders"]
    proof: {twins_green: 3, twins: 3, mutants_killed: 2, mutants: 2, real: green, reason: ""}
    healing_history: [{method: update, reasoning: "renamed"}]
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    files = {
        "stories.md": STORY,
        "openapi.yaml": CONTRACT,
        "shop.py": CODE,
        "test_execution_state.yaml": CHECKLIST,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return Project(tmp_path, (), msgspec.structs.replace(Settings(), history=False), Store.open(None))


@pytest.fixture
def checked(project: Project) -> Checked:
    return check(project, tell=print)


def undeclared(findings: tuple[Finding, ...]) -> Finding:
    return next(each for each in findings if each.rule == "response-undeclared")


def test_each_story_has_its_thread_with_criteria_in_order(project: Project, checked: Checked) -> None:
    (thread,) = story_threads(project, checked.report.findings)
    assert [each.fact.key for each in thread.criteria] == ["US-3.1", "US-3.2"]
    assert [strand.fact.key for strand in thread.criteria[0].code][:1] == ["shop.place_order"]


def test_the_part_of_the_graph_ties_what_disagrees_and_what_is_linked(
    project: Project, checked: Checked
) -> None:
    finding = undeclared(checked.report.findings)
    part = surroundings(project, checked.report.findings).part
    assert finding.spec and finding.code
    ends = {(edge.verb, part.facts[edge.first].id, part.facts[edge.second].id) for edge in part.edges}
    holders = [part.facts[part.asked[each.fact][0]].id for each in (finding.code, finding.spec)]
    assert (Verb.CONTRADICTS, *holders) in ends
    assert (Verb.IMPLEMENTS, "code:function:shop.place_order", "spec:criterion:US-3.1") in ends


def test_cases_come_with_the_figures_of_their_proofs(project: Project, checked: Checked) -> None:
    (case,) = surroundings(project, checked.report.findings).cases
    assert (case.status, case.holds, case.twins_green, case.mutants_killed) == ("HEALED", True, 3, 2)
    assert case.heals == ({"method": "update", "reasoning": "renamed"},)


def test_the_page_of_a_project_shows_all_of_it(project: Project, checked: Checked) -> None:
    page = show(shown_for(project, checked, Manner()))
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    finding = next(each for each in data["findings"] if each["rule"] == "response-undeclared")
    centres, *_ = data["picture"]["rings"][finding["ring"]]
    assert centres == len(finding["nodes"]) == 2
    assert data["stories"][0]["criteria"][0]["findings"]
    assert data["sources"]["shop.py"][0][0] == 1
